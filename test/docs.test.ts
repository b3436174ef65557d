/** Holds the pages for people to the code they speak of. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseDebugReport, renderDebugReport } from '../src/pipeline/debug-report.ts';
import { FLOW } from '../src/pipeline/flow.ts';
import { flowDiagram } from '../src/pipeline/flow-diagram.ts';
import { blockAfter } from './support/readme.ts';
import { ROOT, sourceFiles } from './support/source-files.ts';

const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].sort();

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe('links between pages', () => {
  it.each(PAGES)('of %s lead somewhere', (page) => {
    const links = [...withoutCode(textOf(page)).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
      (link) => link[1] ?? '',
    );
    expect(links.filter((link) => !existsSync(resolve(ROOT, dirname(page), link)))).toEqual([]);
  });
});

describe('commands that pages name', () => {
  const scripts = Object.keys(JSON.parse(textOf('package.json')).scripts);

  it.each(PAGES)('of %s are scripts of package.json', (page) => {
    const named = [...textOf(page).matchAll(/\bnpm run ([a-z][a-z:-]*)/g)].map((command) => command[1] ?? '');
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});

describe('decisions', () => {
  const decisions = PAGES.filter((page) => /^docs\/decisions\/\d/.test(page));

  it.each(decisions)('%s has context, decision and consequence, on half a page', (page) => {
    const text = textOf(page);
    expect(['**Context.**', '**Decision.**', '**Consequence.**'].filter((part) => !text.includes(part))).toEqual([]);
    expect(text.split('\n').length).toBeLessThan(40);
  });
});

describe('the picture of the flow', () => {
  it('in ARCHITECTURE.md is drawn from the table', () => {
    expect(/```mermaid\n([\s\S]*?)\n```/.exec(textOf('ARCHITECTURE.md'))?.[1]).toBe(flowDiagram(FLOW));
  });
});

describe('docs/report.md', () => {
  const page = textOf('docs/report.md');

  it('shows a report that follows its own format', () => {
    const shown = `${blockAfter(page, '<!-- report: 1-parcel-rates -->')}\n`;
    expect(renderDebugReport(parseDebugReport(shown))).toBe(shown);
  });

  it('names the markers that the code writes', () => {
    const written = sourceFiles('src')
      .flatMap((file) => [...file.text.matchAll(/<!-- inquest:([a-z]+)/g)])
      .map((marker) => marker[1] ?? '');
    const named = [...page.matchAll(/<!-- inquest:([a-z]+)/g)].map((marker) => marker[1] ?? '');
    expect([...new Set(named)].sort()).toEqual([...new Set(written)].sort());
  });
});

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
}
