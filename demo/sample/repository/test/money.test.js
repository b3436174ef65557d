import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney } from '../src/money.js';

test('thousands are set apart by a comma', () => {
  assert.equal(formatMoney(123456), '1,234.56');
});

test('the sign of a refund comes first', () => {
  assert.equal(formatMoney(-5), '-0.05');
});
