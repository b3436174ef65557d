import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { configurationReference } from '../../src/config/reference.ts';
import { repositorySchema } from '../../src/config/repository-schema.ts';

describe('docs/configuration.md', () => {
  it('is what the schemas say (npm run docs:config writes it)', () => {
    expect(readFileSync('docs/configuration.md', 'utf8')).toBe(configurationReference());
  });

  it('describes every key', () => {
    const undescribed: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [name, child] of Object.entries('properties' in node ? (node.properties ?? {}) : {})) {
        if (!('description' in child)) undescribed.push(`${path}.${name}`);
        visit('items' in child ? child.items : child, `${path}.${name}`);
      }
    };
    visit(z.toJSONSchema(repositorySchema, { io: 'input' }), '');
    expect(undescribed).toEqual([]);
  });
});
