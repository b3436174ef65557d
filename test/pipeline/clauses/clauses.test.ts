import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  clausesOf,
  MAX_CLAUSE_TEXT,
  MAX_CLAUSES,
  MAX_SOURCE_LENGTH,
  readSpec,
} from '../../../src/pipeline/clauses/clauses.ts';
import { parseValidate, renderValidate } from '../../../src/pipeline/clauses/validate-document.ts';

const of = (text: string, name = 'SPEC.md') => clausesOf([{ name, text }]);
const examples = (text: string, name?: string) =>
  of(text, name).flatMap((clause) => clause.examples.map(({ subject, kind, value }) => `${subject} ${kind} ${value}`));

describe('An example is found in every form', () => {
  it.each([
    ['- `f(1)` → `2`', 'f(1) returns 2'],
    ['- `f(1) → 2`', 'f(1) returns 2'],
    ['So f(1) -> 2', 'f(1) returns 2'],
    ['`f(1)` returns `[1, "a"]`.', 'f(1) returns [1, "a"]'],
    ['`f(1)` must return 2.', 'f(1) returns 2'],
    ['`f(1)` is `true`.', 'f(1) returns true'],
    ['`f(1)` == `2`', 'f(1) returns 2'],
    ['`f(-1)` throws `RangeError`.', 'f(-1) throws RangeError'],
    ['`f(-1)` raises a ValueError.', 'f(-1) throws ValueError'],
    ['`f(-1)` → throws `RangeError`', 'f(-1) throws RangeError'],
    ["`f('A B')` → `a-b`", "f('A B') returns a-b"],
    ['When the list is empty, `f([])` is `0`.', 'f([]) returns 0'],
    ['Discounts by quantity:\n\n- `f(5)` → `2`', 'f(5) returns 2'],
    ['The following must hold:\n\n- `f(5)` → `2`', 'f(5) returns 2'],
    ['- Examples:\n  - `f(5)` → `2`', 'f(5) returns 2'],
    ['Five or more earn a discount: `f(5)` returns `2`.', 'f(5) returns 2'],
    ['Amounts between 1 and 9 cost more than the rest, so `f(5)` is `2`.', 'f(5) returns 2'],
    ['| Call | Result |\n|---|---|\n| `f(1)` | `2` |', 'f(1) returns 2'],
    ['| Call | Throws |\n|---|---|\n| `f(1)` | `TypeError` |', 'f(1) throws TypeError'],
    ['| a | b | `f(a, b)` |\n|--|--|--|\n| 1 | 2 | 3 |', 'f(1, 2) returns 3'],
    ['```python\n>>> f(1)\n2\n```', 'f(1) returns 2'],
    ['>>> f(1)\nTraceback (most recent call last):\n  ...\nValueError: no', 'f(1) throws ValueError'],
    ['```js\nf(1) // → 2\n```', 'f(1) returns 2'],
    ['```js\nf(1); // 2\n```', 'f(1) returns 2'],
    ['```py\nf(1)  # => 2\n```', 'f(1) returns 2'],
    ['```py\nassert f(1) == 2\n```', 'f(1) returns 2'],
    ['Given a list `[1]`\nWhen `f([1])` is called\nThen it returns `2`', 'f([1]) returns 2'],
    ['- Given `x = 4`\n- When `f(x)` is called\n- Then the result is `2`', 'f(4) returns 2'],
  ])('%j', (text, expected) => expect(examples(text)).toEqual([expected]));
});

describe('What does not hold plainly is no example', () => {
  it.each([
    '`f(1)` must not return `2`.',
    '`f(1)` never returns `2`.',
    '`f(1)` returns `2` or `3`.',
    '`f(1)` returns about `2`.',
    '`f(1)` returned `2` before; it was wrong.',
    'If taxes apply, `f(1)` returns `2`.',
    '`f(1)` returns `2` in strict mode.',
    'With taxes, `f(1)` returns `2`.',
    'Not this: `f(1)` returns `2`.',
    '- These are bad examples:\n  - `f(1)` returns `2`',
    'We rejected these:\n\n1. `f(1)` returns `2`',
    'Counterexamples:\n\n- `f(1)` → `2`',
    'A competitor does this:\n\n- `f(1)` → `2`',
    'They prefer:\n\n- `f(1)` → `2`',
    '## Rejected ideas\n\n- `f(1)` → `2`',
    'We rejected this. `f(1)` returns `2`.',
    'It rounds up or down: `f(1)` returns `2` or more.',
    'In strict or lenient mode: `f(1)` returns `2`.',
    'This was wrong or odd: `f(1)` returns `2`.',
    'Is it so that `f(1)` returns `2`?',
    '`f(1)` returns 2 items.',
    '`f(x)` returns `2`.',
    '~~`f(1)` returns `2`.~~',
    '> `f(1)` returns `2`.',
    '<!-- `f(1)` returns `2` -->\nText.',
    '---\nexample: "`f(1)` returns `2`"\n---\nText.',
    '## Known bugs\n\n- `f(1)` → `2`',
    'If the flag is set:\n\n- `f(1)` → `2`',
    '| Call | Actual |\n|---|---|\n| `f(1)` | `2` |',
    '| Mode | Call | Result |\n|---|---|---|\n| strict | `f(1)` | `2` |',
    '```js\nsetup();\nf(1) // → 2\n```',
    '```py\nf(1) // 2\n```',
    '```sh\nf(1) # 2\n```',
    'Given taxes apply\nWhen `f(1)` is called\nThen it returns `2`',
  ])('%j', (text) => expect(examples(text)).toEqual([]));

  it('takes an issue that reports a defect at its word only where it says what is wanted', () => {
    const report = 'There is a bug.\n\n`f(1)` returns `3`.\n\n### Expected\n\n- `f(1)` → `2`\n';
    expect(examples(report, 'issue #4')).toEqual(['f(1) returns 2']);
    expect(examples('- `f(1)` → `2`', 'issue #4')).toEqual(['f(1) returns 2']);
  });
});

describe('A clause knows where it stands', () => {
  const clauses = of(
    '# Cart\n\nPrices are in cents. The sum of\nnothing is zero.\n\n## Rules\n\n- one\n  more\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  );

  it('gives each sentence, item and row its line and section', () => {
    expect(clauses.map(({ clause_id, line, section, text }) => [clause_id, line, section, text])).toEqual([
      ['C1', 3, 'Cart', 'Prices are in cents.'],
      ['C2', 3, 'Cart', 'The sum of nothing is zero.'],
      ['C3', 8, 'Rules', 'one more'],
      ['C4', 10, 'Rules', 'two'],
      ['C5', 14, 'Rules', '| 1 | 2 |'],
    ]);
  });

  it('counts through all sources', () => {
    const both = clausesOf([
      { name: 'a.md', text: 'One thing.' },
      { name: 'issue #2', text: 'Another.' },
    ]);
    expect(both.map(({ clause_id, source }) => [clause_id, source])).toEqual([
      ['C1', 'a.md'],
      ['C2', 'issue #2'],
    ]);
  });

  it('stops at its bounds', () => expect(of('- x1\n'.repeat(MAX_CLAUSES + 10))).toHaveLength(MAX_CLAUSES));
});

describe('What a spec says beyond the bounds is told', () => {
  const cutsOf = (text: string) => readSpec([{ name: 'SPEC.md', text }]).cuts;

  it('nothing is told of a spec that was read to its end', () => {
    expect(cutsOf('# Rules\n\nOne thing. Another.\n')).toEqual([]);
    expect(cutsOf('- x1\n'.repeat(MAX_CLAUSES))).toEqual([]);
  });

  it('clauses, in a list and inside one paragraph', () => {
    expect(cutsOf('- x1\n'.repeat(MAX_CLAUSES + 10))).toEqual([
      expect.stringMatching(/^The spec was cut at 2000 clauses: nothing from SPEC\.md:2001 on/),
    ]);
    const { clauses, cuts } = readSpec([{ name: 'SPEC.md', text: 'It is so.\n'.repeat(MAX_CLAUSES + 10) }]);
    expect([clauses.length, cuts.length]).toEqual([MAX_CLAUSES, 1]);
  });

  it('sources after them', () => {
    const sources = ['a.md', 'b.md'].map((name) => ({ name, text: '- x1\n'.repeat(MAX_CLAUSES) }));
    expect(readSpec(sources).cuts).toEqual([expect.stringContaining('nothing from b.md:1 on')]);
  });

  it('the text of a source', () => {
    expect(cutsOf(`One thing.${'\n'.repeat(MAX_SOURCE_LENGTH)}Another.`)).toEqual([
      expect.stringMatching(/^The spec was cut at character 1000000 of SPEC\.md/),
    ]);
  });

  it('a line, and a clause', () => {
    expect(cutsOf(`Short.\n\nOne. ${'word '.repeat(1000)}`)).toEqual([
      'The spec was cut at 4000 characters a line in SPEC.md: line 3.',
      'The spec was cut at 2000 characters a clause: the text of clause C2 goes on.',
    ]);
  });

  it('a clause that was cut has no example: what follows could qualify it', () => {
    const [clause] = of(`Here \`f(1)\` is \`2\` ${'very '.repeat(MAX_CLAUSE_TEXT / 5)} much.`);
    expect(clause?.examples).toEqual([]);
  });
});

/** Characters that regular expressions are given while `work` runs: what reading costs, without a clock. */
function examined(work: () => void): number {
  const exec = RegExp.prototype.exec;
  let characters = 0;
  RegExp.prototype.exec = function counted(this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    characters += match ? match.index + match[0].length - from : this.sticky ? 1 : text.length - from;
    return match;
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return characters;
}

describe('Reading a spec takes time linear in its text', () => {
  it.each([
    ['a paragraph of sentences', 'The call `f(1)` returns `2`.\nSo it goes. '],
    ['a list that a long paragraph introduces', '- `f(1)` is `2`\n', 'Not so\n'],
    ['steps that never end', '- When it goes on\n'],
    ['items inside items', '- a\n', '', (line: number) => ' '.repeat(line)],
  ])('%s', (_what, line, before = '', indent: (line: number) => string = () => '') => {
    const textOf = (lines: number) =>
      `${before.repeat(lines)}${before === '' ? '' : ':\n\n'}${Array.from({ length: lines }, (_, at) => indent(at) + line).join('')}`;
    const [once, twice] = [600, 1200].map((lines) => {
      const text = textOf(lines);
      return examined(() => of(text)) / text.length;
    });
    expect((twice ?? 0) / (once ?? 1)).toBeLessThan(1.3);
  });
});

describe('validate.md keeps the clauses', () => {
  const pieces = fc.constantFrom(
    '`f(1)` → `2`',
    '- ',
    '# A',
    '| a | b |',
    '|--|--|',
    '> ',
    '```js',
    '```',
    '\n',
    '\n\n',
    'Text. ',
    '`',
    '### C9',
    '- source: x:1',
    '- example: `a` returns `b` (arrow)',
    '<!--',
    'Given ',
    '\u2028',
    '``f("`")`` is `1`',
    '>>> f(2)',
    '3',
  );

  it('for any text: parse(render(clauses)) is the clauses', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { maxLength: 30 }), (parts) => {
        const clauses = of(parts.join(''));
        expect(parseValidate(renderValidate({ sources: [{ name: 'SPEC.md' }], clauses, notes: ['a\nnote'] }))).toEqual(
          clauses,
        );
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('refuses a document that was changed', () => {
    expect(() => parseValidate('## Clauses\n\nnonsense\n')).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });
});
