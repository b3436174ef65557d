import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taxOf } from '../src/tax.js';

test('books are taxed at seven percent', () => {
  assert.equal(taxOf(2000, 'book'), 140);
});

test('everything else is taxed at nineteen percent', () => {
  assert.equal(taxOf(2000, 'poster'), 380);
});

test('half a cent is rounded up', () => {
  assert.equal(taxOf(1050, 'book'), 74);
});
