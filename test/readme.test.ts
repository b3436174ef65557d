/** README.md shows what really happens: its commands are run, and what they print is compared with the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { parse } from 'yaml';
import type { CaseResult } from '../demo/follow.ts';
import { summaryTable } from '../demo/table.ts';
import { blockAfter, exampleOf, masked } from './support/readme.ts';
import { ROOT } from './support/source-files.ts';

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const README = textOf('README.md');
const DEMO_TIMEOUT_MS = 240_000;

describe('a command of README.md prints what the page shows', () => {
  it.each(['diagnose', 'json'])('%s', async (name) => {
    const { command, output } = exampleOf(README, name);
    const { stdout } = await execa('bash', ['-c', command], { cwd: ROOT, reject: false, env: { CI: '' } });
    expect(masked(stdout)).toBe(masked(output));
  });
});

describe('npm run demo -- --once', () => {
  let demo: { exitCode?: number | undefined; stdout: string; stderr: string };
  let cases: readonly CaseResult[];
  beforeAll(async () => {
    demo = await execa('npm', ['run', '--silent', 'demo', '--', '--once', '--json'], { cwd: ROOT, reject: false });
    if (demo.stdout === '') throw new Error(`The demo said nothing on stdout, and on stderr:\n${demo.stderr}`);
    cases = JSON.parse(demo.stdout).cases;
  }, DEMO_TIMEOUT_MS);

  it('ends with 0: each case came out as its folder expects', () => {
    expect(cases.map(({ case: name, cause, action }) => [name, cause, action])).toEqual([
      ['1-parcel-rates', 'code', 'route_code'],
      ['2-bulk-discount', 'test', 'route_test'],
      ['3-gift-wrapping', 'unknown', 'escalate'],
      ['4-invoice-amounts', 'code+test', 'escalate'],
    ]);
    expect(demo.exitCode).toBe(0);
  });

  it('tells its progress on stderr', () => {
    expect(demo.stderr).toMatch(/^ +[0-9.]+ s {2}run_[0-9a-f]{16} publish#1 done in \d+ ms$/m);
  });

  it('prints the table of README.md', () => {
    expect(masked(summaryTable(cases))).toBe(masked(exampleOf(README, 'demo').output));
  });

  it('says of the first case what docs/report.md shows', () => {
    const shown = blockAfter(textOf('docs/report.md'), '<!-- report: 1-parcel-rates -->');
    expect(masked(shown)).toContain(masked(`- evidence: ${cases[0]?.evidence}`));
  });
});

describe('the link that registers the App', () => {
  const link = new URL(/\]\((https:\/\/github\.com\/settings\/apps\/new[^)\s]*)\)/.exec(README)?.[1] ?? '');
  const app = parse(textOf('app.yml'));

  it('asks for the permissions and events of app.yml, and nothing else', () => {
    const { 'events[]': _, ...asked } = Object.fromEntries(link.searchParams);
    expect(link.searchParams.getAll('events[]')).toEqual(app.default_events);
    expect(asked).toEqual({
      name: app.name,
      description: app.description,
      url: app.url,
      public: String(app.public),
      webhook_active: String(app.hook_attributes.active),
      webhook_url: app.hook_attributes.url,
      ...app.default_permissions,
    });
  });

  it('is the same in docs/install.md', () => {
    expect(textOf('docs/install.md')).toContain(link.href);
  });
});

describe('the manifest of docs/install.md', () => {
  it('is app.yml, and where GitHub sends the code', () => {
    const manifest = JSON.parse(/<textarea[^>]*>([^<]+)</.exec(textOf('docs/install.md'))?.[1] ?? '');
    const { redirect_url, ...rest } = manifest;
    expect(redirect_url).toBe('http://127.0.0.1:3000/');
    expect(rest).toEqual(parse(textOf('app.yml')));
  });
});
