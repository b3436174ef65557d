/** What every part of the simulator works on: the state and its moving parts, made once at start. */
import type { KeyObject } from 'node:crypto';
import type { Ci } from './ci/schedule.ts';
import type { Faults } from './faults.ts';
import type { GitRepository } from './git/repository.ts';
import type { Links } from './links.ts';
import type { AppIdentity, Repository } from './model.ts';
import type { Downloads } from './rest/downloads.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import type { World } from './world.ts';

export interface Simulation {
  readonly world: World;
  readonly links: Links;
  /** The app under test. */
  readonly app: AppIdentity;
  readonly publicKey: KeyObject;
  /** The app that GitHub's own CI reports as. */
  readonly actions: AppIdentity;
  readonly git: (repository: Repository) => GitRepository;
  readonly webhooks: Webhooks;
  readonly ci: Ci;
  readonly faults: Faults;
  readonly downloads: Downloads;
  /** A folder for whatever has to lie on disk; removed at the end. */
  readonly rootDir: string;
}
