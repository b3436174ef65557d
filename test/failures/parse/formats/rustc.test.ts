import { describe, expect, it } from '@jest/globals';
import { failures, only } from './read.ts';

describe('an error of rustc', () => {
  const mismatch = `   Compiling shop v0.1.0 (/w/shop)
error[E0308]: mismatched types
 --> src/cart.rs:3:5
  |
2 | fn total() -> u32 {
  |               --- expected \`u32\` because of return type
3 |     "4"
  |     ^^^ expected \`u32\`, found \`&str\`

error: aborting due to 1 previous error

For more information about this error, try \`rustc --explain E0308\`.
error: could not compile \`shop\` (lib) due to 1 previous error
`;

  it('gives code, place and types', () => {
    expect(only(mismatch)).toMatchObject({
      runner: 'rustc',
      kind: 'diagnostic',
      failure_class: 'compile_error',
      symbol: 'E0308',
      message: 'mismatched types',
      location: { file: 'src/cart.rs', line: 3, column: 5 },
      expected: 'u32',
      actual: '&str',
    });
  });

  it('marks lints', () => {
    expect(
      only(
        'error: this could be simplified\n --> src/a.rs:1:1\n  |\n  = note: `-D clippy::all` implied by `-D warnings`\n',
      ),
    ).toMatchObject({ failure_class: 'compile_error', sub_class: 'lint' });
  });

  it('reads what cargo itself says', () => {
    expect(only('error: failed to select a version for `serde`.\n    ... required by package `shop`\n')).toMatchObject({
      failure_class: 'compile_error',
      location: null,
    });
  });

  it('is not any line that begins with error:', () => {
    expect(failures('error: something of another tool\nand more\n')).toEqual([]);
  });

  it('is not what trybuild quotes', () => {
    const quoted = `ACTUAL OUTPUT:\n┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈\nerror[E0308]: mismatched types\n --> tests/ui/a.rs:3:5\n┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈\n`;
    expect(failures(quoted)).toEqual([]);
  });
});
