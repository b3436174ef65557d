/** Small outputs of CI runs, as the runners print them. */

export const FAILING = [
  'FAIL test/basket.test.js',
  '  ● basket › adds what is put in',
  '',
  '    expect(received).toBe(expected) // Object.is equality',
  '',
  '    Expected: 12',
  '    Received: 11',
  '',
  '      at Object.<anonymous> (test/basket.test.js:9:24)',
  '',
  'Tests:       1 failed, 4 passed, 5 total',
  '',
].join('\n');

export const PASSING = ['PASS test/basket.test.js', '', 'Tests:       5 passed, 5 total', ''].join('\n');

export const JUNIT = `<?xml version="1.0"?>
<testsuite name="shop" tests="2" failures="1">
  <testcase classname="shop.Till" name="gives change"><failure message="expected: &lt;3&gt; but was: &lt;2&gt;">trace</failure></testcase>
  <testcase classname="shop.Till" name="opens"/>
</testsuite>
`;
