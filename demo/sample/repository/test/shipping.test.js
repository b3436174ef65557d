import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shippingCost, shippingFor } from '../src/shipping.js';

test('a light parcel costs the first kilogram', () => {
  assert.equal(shippingCost(250), 395);
});

test('the first kilogram ends at 1000 grams', () => {
  assert.equal(shippingCost(1000), 395);
});

test('a kilogram that is begun is charged in full', () => {
  assert.equal(shippingCost(1001), 475);
});

test('a heavy parcel costs the sum of its kilograms', () => {
  assert.equal(shippingCost(2500), 555);
});

test('express costs twice as much', () => {
  assert.equal(shippingCost(1000, 'express'), 790);
});

test('large orders are sent free of charge', () => {
  assert.equal(shippingFor(6000, 2500, 'express'), 0);
});

test('just below, the customer pays', () => {
  assert.equal(shippingFor(5999, 2500, 'standard'), 555);
});
