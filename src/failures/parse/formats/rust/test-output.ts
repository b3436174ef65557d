/** Knows whether a line stands inside the captured output of a Rust test, where compiler errors are data, not failures. */

const LIBTEST = /^---- \S.* stdout ----$/;
const LIBTEST_END = /^(?:failures:$|test result: |---- \S.* stdout end ----$)/;
const NEXTEST = /^\s*(?:-{3} )?(?:stdout|stderr|STDOUT|STDERR|output)(?::|\s+─)/;
const NEXTEST_END = /^\s*(?:─{4,}|-{10,}|Cancell?ing\b|Summary \[|(?:PASS|FAIL|SLOW|TRY \d+|SIG[A-Z]+) .*\[)/;
const QUOTED = /^\s*(?:EXPECTED|ACTUAL OUTPUT|STDERR|NORMALIZED|Expected|Actual):?\s*$/;
const RULE = /^\s*┈{5,}$/;

/** Lines that change the answer: a reader must see them all. */
export const TEST_OUTPUT_MARKS = String.raw`---- \S.* stdout ----$|failures:$|test result: |\s*(?:stdout|stderr|output) +─|\s*(?:--- )?STD(?:OUT|ERR):|\s*┈┈┈┈┈┈`;

export class RustTestOutput {
  #inside: 'libtest' | 'nextest' | null = null;
  #quoted = false;

  get inside(): boolean {
    return this.#inside !== null || this.#quoted;
  }

  line(text: string): void {
    if (LIBTEST.test(text)) this.#inside = 'libtest';
    else if (this.#inside === 'libtest' && LIBTEST_END.test(text)) this.#inside = null;
    else if (this.#inside !== 'libtest' && NEXTEST.test(text) && !QUOTED.test(text)) this.#inside = 'nextest';
    else if (this.#inside === 'nextest' && NEXTEST_END.test(text)) this.#inside = null;
    else if (RULE.test(text)) this.#quoted = !this.#quoted;
  }
}
