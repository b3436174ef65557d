/** A control group for one command, where this machine lets us make one: then the kernel holds the limits, not we. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxLimits } from '../../ports/sandbox.ts';

export interface Cgroup {
  /** Moves a process, with all it will start, into the group. */
  add(pid: number): void;
  /** How many processes the kernel killed because the group was out of memory. */
  oomKills(): number;
  /** Removes the group once it is empty. */
  remove(): Promise<void>;
}

interface Folder {
  readonly path: string;
  readonly settings: readonly (readonly [file: string, value: string])[];
  /** File with a line `oom_kill n`. */
  readonly events: string | null;
}

/** Null when no writable hierarchy holds memory and processes; the caller then watches the tree by itself. */
export function createCgroup(limits: SandboxLimits): Cgroup | null {
  const name = `inquest-${randomUUID()}`;
  for (const folders of [unified(name, limits), legacy(name, limits)]) {
    if (folders !== null && make(folders)) return groupOf(folders);
  }
  return null;
}

function groupOf(folders: readonly Folder[]): Cgroup {
  return {
    add: (pid) => {
      for (const { path } of folders) writeFileSync(join(path, 'cgroup.procs'), String(pid));
    },
    oomKills: () =>
      Math.max(0, ...folders.map(({ path, events }) => (events === null ? 0 : counter(join(path, events))))),
    remove: async () => {
      for (const { path } of folders) await removeWhenEmpty(path);
    },
  };
}

/** cgroup v2: a child of our own group or a sibling, whichever has the controllers handed down. */
function unified(name: string, limits: SandboxLimits): readonly Folder[] | null {
  const own = groups().get('');
  if (own === undefined) return null;
  const here = join('/sys/fs/cgroup', own);
  const parent = [here, dirname(here)].find((path) => {
    const controllers = readText(join(path, 'cgroup.subtree_control')).split(/\s+/);
    return controllers.includes('memory') && controllers.includes('pids');
  });
  if (parent === undefined) return null;
  const settings = [
    ['memory.max', String(limits.memory_bytes)],
    ['memory.oom.group', '1'],
    ['pids.max', String(limits.processes)],
  ] as const;
  return [{ path: join(parent, name), settings, events: 'memory.events' }];
}

/** cgroup v1: one folder in each hierarchy. */
function legacy(name: string, limits: SandboxLimits): readonly Folder[] | null {
  const own = groups();
  const memory = own.get('memory');
  const pids = own.get('pids');
  if (memory === undefined || pids === undefined) return null;
  return [
    {
      path: join('/sys/fs/cgroup/memory', memory, name),
      settings: [['memory.limit_in_bytes', String(limits.memory_bytes)]],
      events: 'memory.oom_control',
    },
    { path: join('/sys/fs/cgroup/pids', pids, name), settings: [['pids.max', String(limits.processes)]], events: null },
  ];
}

/** Controller → path of our own group; the unified hierarchy has the empty name. */
function groups(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of readText('/proc/self/cgroup').split('\n')) {
    const [, controllers, ...path] = line.split(':');
    for (const controller of controllers?.split(',') ?? []) found.set(controller, path.join(':'));
  }
  return found;
}

function make(folders: readonly Folder[]): boolean {
  const made: string[] = [];
  try {
    for (const { path, settings } of folders) {
      if (!existsSync(dirname(path))) throw new Error('no such hierarchy');
      mkdirSync(path);
      made.push(path);
      for (const [file, value] of settings) writeFileSync(join(path, file), value);
    }
    return true;
  } catch {
    for (const path of made) rmdirSync(path);
    return false; // Not ours to write: the usual case of an ordinary user.
  }
}

async function removeWhenEmpty(path: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      rmdirSync(path);
      return;
    } catch {
      await delay(20); // Busy until the kernel has reaped the last process.
    }
  }
}

function counter(path: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(readText(path))?.[1] ?? 0);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
