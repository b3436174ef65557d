/** Holds the pages for people to the code they speak of. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './support/source-files.ts';

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

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
}
