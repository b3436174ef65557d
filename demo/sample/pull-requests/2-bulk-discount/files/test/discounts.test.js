import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyCoupon, quantityDiscount } from '../src/discounts.js';

test('four copies earn nothing', () => {
  assert.equal(quantityDiscount(4, 10000), 0);
});

test('five copies earn ten percent', () => {
  assert.equal(quantityDiscount(5, 10000), 1000);
});

test('nineteen copies still earn ten percent', () => {
  assert.equal(quantityDiscount(19, 10000), 1000);
});

test('a bulk order earns the higher discount', () => {
  assert.equal(quantityDiscount(20, 10000), 2000);
});

test('a coupon is taken off the total', () => {
  assert.equal(applyCoupon(2000, 500), 1500);
});

test('a coupon never pays anything out', () => {
  assert.equal(applyCoupon(500, 800), 0);
});
