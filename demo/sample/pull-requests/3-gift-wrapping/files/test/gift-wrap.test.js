import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giftWrapPrice } from '../src/gift-wrap.js';

test('one item costs the base price', () => {
  assert.equal(giftWrapPrice(1), 250);
});

test('a box set costs more to wrap', () => {
  assert.equal(giftWrapPrice(3), 400);
});
