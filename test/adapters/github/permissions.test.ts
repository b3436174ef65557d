import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { COMMAND_EVENTS } from '../../../src/pipeline/command.ts';

const ROOT = join(import.meta.dirname, '../../..');
const manifestSchema = z.object({
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});
const manifest = manifestSchema.parse(parse(readFileSync(join(ROOT, 'app.yml'), 'utf8')));
const page = readFileSync(join(ROOT, 'docs/permissions.md'), 'utf8');

/** Rows of the table below the heading, as cells without backticks. */
function rowsBelow(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** `METHOD /route` of every request in the adapter's source. */
function requestsOfCode(): string[] {
  const folder = join(ROOT, 'src/adapters/github');
  const source = readdirSync(folder).map((name) =>
    name.endsWith('.ts') ? readFileSync(join(folder, name), 'utf8') : '',
  );
  return [...new Set(source.join('\n').match(/(?<=')(?:GET|POST|PUT|PATCH|DELETE) \/[^']*(?=')/g))].sort();
}

describe('The manifest asks for what the page explains', () => {
  it('the same permissions with the same access, each with a reason and a loss', () => {
    const rows = rowsBelow('Permissions');
    expect(Object.fromEntries(rows.map(([name, access]) => [name, access]))).toEqual(manifest.default_permissions);
    expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([]);
  });

  it('the same events, each with a reason and a loss', () => {
    const rows = rowsBelow('Events');
    expect(rows.map(([name]) => name)).toEqual(manifest.default_events);
    expect(rows.filter((cells) => cells.length !== 4 || !cells[2] || !cells[3])).toEqual([]);
  });
});

describe('The code uses what the manifest asks for', () => {
  it('every event and action on the page becomes a command, and no other does', () => {
    const onPage = rowsBelow('Events').flatMap(([event, actions]) =>
      actions ? actions.split(', ').map((action) => `${event}.${action}`) : [event],
    );
    expect([...COMMAND_EVENTS].sort()).toEqual(onPage.sort());
  });

  it('every request of the code is on the page, and no other is', () => {
    expect(
      rowsBelow('Requests')
        .map(([request]) => request)
        .sort(),
    ).toEqual(requestsOfCode());
  });

  it('every permission is needed by a request, and no request needs another', () => {
    const needed = rowsBelow('Requests').flatMap(([, permissions]) => permissions?.split(', ') ?? []);
    const granted = Object.keys(manifest.default_permissions);
    expect([...new Set(needed)].filter((name) => name !== 'none').sort()).toEqual(granted.sort());
  });

  it('write access is asked for only where a request writes', () => {
    const writing = rowsBelow('Requests')
      .filter(([request]) => !request?.startsWith('GET '))
      .flatMap(([, permissions]) => permissions?.split(', ') ?? []);
    const written = Object.entries(manifest.default_permissions).filter(([, access]) => access === 'write');
    expect(written.map(([name]) => name).sort()).toEqual([...new Set(writing)].sort());
  });
});
