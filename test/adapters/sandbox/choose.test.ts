import { describe, expect, it } from '@jest/globals';
import { createSandbox } from '../../../src/adapters/sandbox/choose.ts';

const operator = { container_image: 'node:24', container_engine: 'docker' };

describe('the sandbox', () => {
  it('is what the operator says, unless the repository asks for another one that isolates', () => {
    expect(createSandbox({ ...operator, sandbox: 'bubblewrap' }).kind).toBe('bubblewrap');
    expect(createSandbox({ ...operator, sandbox: 'host' }).kind).toBe('host');
    expect(createSandbox({ ...operator, sandbox: 'host' }, { kind: 'bubblewrap' }).kind).toBe('bubblewrap');
    expect(createSandbox({ ...operator, sandbox: 'bubblewrap' }, { image: 'python:3' }).kind).toBe('container');
  });
});
