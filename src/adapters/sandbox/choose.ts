/** Picks the sandbox: the operator decides, and a repository may ask for another one that isolates. */
import type { RepositoryConfig } from '../../config/repository.ts';
import type { ServiceConfig } from '../../config/service.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import { createBubblewrapSandbox } from './bubblewrap.ts';
import { createContainerSandbox } from './container.ts';
import { createHostSandbox } from './host.ts';

export type SandboxChoice = Pick<ServiceConfig, 'sandbox' | 'container_image' | 'container_engine'>;

/** `repository` is the section `sandbox` of its file; its schema has no `host`. */
export function createSandbox(config: SandboxChoice, repository: RepositoryConfig['sandbox'] = {}): Sandbox {
  const kind = repository.kind ?? (repository.image === undefined ? config.sandbox : 'container');
  switch (kind) {
    case 'bubblewrap':
      return createBubblewrapSandbox();
    case 'container':
      return createContainerSandbox(config.container_engine, repository.image ?? config.container_image);
    case 'host':
      return createHostSandbox();
  }
}
