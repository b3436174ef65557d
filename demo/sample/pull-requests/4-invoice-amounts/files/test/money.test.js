import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney } from '../src/money.js';

test('large amounts are written out', () => {
  assert.equal(formatMoney(123456), '1234.56');
});

test('the sign of a refund comes first', () => {
  assert.equal(formatMoney(-5), '-0.05');
});
