import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalCall,
  compareValues,
  parseCall,
  parseValue,
  sameCall,
  sameValue,
} from '../../../src/pipeline/value/value.ts';

function value(text: string) {
  const read = parseValue(text);
  if (!read) throw new Error(`no value: ${text}`);
  return read;
}

describe('A literal is one value in whatever language it is written', () => {
  it.each([
    ['3', '3.0'],
    ['1_000', '1e3'],
    ['0x1F', '31'],
    ["'a'", '"a"'],
    ['`a`', '"a"'],
    ["r'a'", '"a"'],
    ['"\\u00e9"', '"é"'],
    ['None', 'null'],
    ['True', 'true'],
    ['[ 1, 2, ]', '[1,2]'],
    ['Array [\n  1,\n]', '[1]'],
    ['{ a: 1, "b": 2 }', '{"b": 2, "a": 1}'],
    ['Object {\n  "a": 1,\n}', '{a: 1}'],
    ["Map(1) { 'a' => 1 }", "new Map([['a', 1]])"],
    ['Set(2) { 1, 2 }', '{2, 1}'],
    ['set()', 'new Set()'],
    ['(1)', '1'],
    ['NaN', 'nan'],
  ])('%s is %s', (one, other) => expect(sameValue(value(one), value(other))).toBe(true));

  it.each([
    '',
    'hello',
    '1 2',
    '{a}',
    '[Object]',
    '{ a: [Array] }',
    '[1, ...]',
    ['`$', '{x}`'].join(''),
    '01',
    '12abc',
    '"a',
    'f"{x}"',
    '<ref *1> {}',
    '[ <1 empty item> ]',
    '9007199254740993',
  ])('%s is no literal', (text) => expect(parseValue(text)).toBeNull());
});

describe('Values are compared without guessing', () => {
  it.each([
    ['3', '"3"', 'different'],
    ['3', '4', 'different'],
    ['[1, 2]', '[2, 1]', 'different'],
    ['{a: 1}', '{a: 1, b: 2}', 'different'],
    ['{1, 2}', '{1, 3}', 'different'],
    ['(1, 2)', '[1, 2]', 'unsure'],
    ['(1, 2)', '[1, 3]', 'different'],
    ['null', 'undefined', 'unsure'],
    ['{a: undefined}', '{}', 'unsure'],
    ['1', 'True', 'unsure'],
    ['0', '-0', 'unsure'],
    ['0.30000000000000004', '0.3', 'unsure'],
    ['0.31', '0.3', 'different'],
    ['3n', '3', 'unsure'],
    ["Decimal('1.50')", "Decimal('1.5')", 'unsure'],
    ['Point { x: 1 }', '{ x: 1 }', 'unsure'],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(compareValues(value(one), value(other))).toBe(expected);
    expect(compareValues(value(other), value(one))).toBe(expected);
  });

  it('reads every JSON value as itself', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        const text = JSON.stringify(json);
        const read = parseValue(text);
        return read === null
          ? /\d{16}|-0/.test(text)
          : sameValue(read, value(JSON.stringify(JSON.parse(text), null, 2)));
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }),
        (text) => parseValue(text) !== undefined && canonicalCall(text) !== undefined,
      ),
      { seed: 7, numRuns: 500 },
    );
    expect(parseValue('['.repeat(5000))).toBeNull();
    expect(canonicalCall('('.repeat(5000))).toBeNull();
  });
});

describe('A call has one spelling', () => {
  it.each([
    ['total([1,2])', 'total( [ 1, 2 ] )'],
    ['total([1])', 'cart.total([1])'],
    ['await load(1)', 'load(1)'],
    ['f(1, b=2, a=3)', 'f(1, a=3, b=2)'],
    ['new Cart([1]).total()', 'Cart([1]).total()'],
    ["f('a')", 'f("a")'],
  ])('%s and %s', (one, other) => expect(canonicalCall(one)).toBe(canonicalCall(other)));

  it.each(['f(x)', 'f', 'a => 1', 'f(1) + 1', 'f(1', '3'])('%s is no call with literal arguments', (text) =>
    expect(canonicalCall(text)).toBeNull(),
  );

  it('keeps different functions apart', () => {
    expect(canonicalCall('addTax(1)')).not.toBe(canonicalCall('add_tax(1)'));
    const [one, other] = [parseCall('cart.total(1)'), parseCall('invoice.total(1)')];
    expect(one && other && sameCall(one, other)).toBe(false);
  });
});
