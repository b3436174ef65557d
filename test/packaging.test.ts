/** The files that package and start Inquest, held to the code as far as can be without a container engine. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { VARIABLES } from '../src/config/service-table.ts';
import { ROOT } from './support/source-files.ts';

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly healthcheck?: unknown;
  readonly deploy?: unknown;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly networks?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
}

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const COMPOSE = parse(textOf('docker-compose.yml'), { merge: true });
const SERVICES: Readonly<Record<string, Service>> = COMPOSE.services;
const KNOWN: readonly string[] = Object.values(VARIABLES).map((variable) => variable.name);
/** Read by compose itself, by PostgreSQL or by Redis, not by Inquest. */
const FOREIGN = [
  'INQUEST_PUBLISH',
  ...['POSTGRES_PASSWORD', 'POSTGRES_USER', 'POSTGRES_DB'],
  ...['REDIS_PASSWORD', 'REDISCLI_AUTH'],
];

describe('docker-compose.yml', () => {
  it('sets and asks for variables that exist only', () => {
    const set = Object.values(SERVICES).flatMap((service) => Object.keys(service.environment ?? {}));
    const asked = [...textOf('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map((name) => name[1] ?? '');
    expect([...set, ...asked].filter((name) => !KNOWN.includes(name) && !FOREIGN.includes(name))).toEqual([]);
  });

  it('has every required secret in .env.example, and nothing there that nobody reads', () => {
    const required = [...textOf('docker-compose.yml').matchAll(/\$\{([A-Z_]+):\?/g)].map((name) => name[1] ?? '');
    const example = [...textOf('.env.example').matchAll(/^([A-Z_]+)=/gm)].map((name) => name[1] ?? '');
    expect([...example].sort()).toEqual([...new Set(required)].sort());
  });

  it('runs app and worker as services of their own, with limits and health checks', () => {
    expect(SERVICES.app?.environment?.INQUEST_ROLE).toBe('app');
    expect(SERVICES.worker?.environment?.INQUEST_ROLE).toBe('worker');
    expect(Object.entries(SERVICES).filter(([, service]) => service.deploy === undefined)).toEqual([]);
    expect([SERVICES.redis?.healthcheck, SERVICES.postgres?.healthcheck]).not.toContain(undefined);
  });

  it('names networks, volumes and services that it declares', () => {
    const all = Object.values(SERVICES);
    const networks = all.flatMap((service) => service.networks ?? []);
    const volumes = all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '');
    const needed = all.flatMap((service) => Object.keys(service.depends_on ?? {}));
    expect(networks.filter((name) => !(name in COMPOSE.networks))).toEqual([]);
    expect(volumes.filter((name) => !(name in COMPOSE.volumes))).toEqual([]);
    expect(needed.filter((name) => !(name in SERVICES))).toEqual([]);
  });

  it('asks whoever reaches Redis or PostgreSQL for a password', () => {
    expect(SERVICES.redis?.command?.join(' ')).toMatch(/--requirepass \$\{REDIS_PASSWORD:\?/);
    for (const name of ['app', 'worker']) {
      const { REDIS_URL, DATABASE_URL } = SERVICES[name]?.environment ?? {};
      expect(REDIS_URL).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:\?[^}]*\}@redis:/);
      expect(DATABASE_URL).toMatch(/:\$\{POSTGRES_PASSWORD:\?[^}]*\}@postgres:/);
    }
  });

  it('publishes nothing but the app', () => {
    expect(Object.keys(SERVICES).filter((name) => SERVICES[name]?.ports !== undefined)).toEqual(['app']);
  });
});

describe('Dockerfile', () => {
  const lines = textOf('Dockerfile');

  it('copies files that exist and that .dockerignore lets in', () => {
    const copied = [...lines.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((copy) => (copy[1] ?? '').split(' '));
    const allowed = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(copied.filter((path) => !existsSync(join(ROOT, path)) || !allowed.includes(path.replace('./', '')))).toEqual(
      [],
    );
  });

  it('ends as a user without rights, with a health check', () => {
    expect(lines).toMatch(/^USER node$/m);
    expect(lines).toContain('/healthz');
    expect(lines.lastIndexOf('USER ')).toBeGreaterThan(lines.lastIndexOf('RUN '));
  });
});

describe('the workflow', () => {
  it('may only read, and pins every action to a major version', () => {
    const workflow = parse(textOf('.github/workflows/ci.yml'));
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const used = [...textOf('.github/workflows/ci.yml').matchAll(/uses: (\S+)/g)].map((action) => action[1] ?? '');
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$/.test(action))).toEqual([]);
  });
});

describe('scripts', () => {
  it.each(['.ci/run'])('%s is a valid shell script', (path) => {
    expect(() => execFileSync('bash', ['-n', join(ROOT, path)])).not.toThrow();
  });
});
