import type { ProcessIdentity } from '@reins/service-kit/folders';
import type { WatchedProcess } from '@reins/tool-gateway';
import { newRunToken } from '../executor/run-token.ts';
import type { HostSecrets } from '../secrets/host-secrets.ts';

export interface ServicesHostOptions {
  readonly owner: ProcessIdentity;
  readonly path: string;
  readonly secrets: HostSecrets;
}

/** What the services of every stage run share: where commands are found, the names of processes, and who lives. */
export class ServicesHost {
  readonly path: string;
  readonly #owner: ProcessIdentity;
  readonly #secrets: HostSecrets;
  readonly #processes = new Map<string, WatchedProcess>();

  constructor({ owner, path, secrets }: ServicesHostOptions) {
    this.path = path;
    this.#owner = owner;
    this.#secrets = secrets;
  }

  /** A token for one process. The next host finds by it what this one leaves behind. */
  newToken(): string {
    return newRunToken(this.#owner);
  }

  /** A variable that workspaces may have. */
  variable(name: string): string | undefined {
    return this.#secrets.environment(name);
  }

  watch(process: WatchedProcess): void {
    this.#processes.set(process.runToken, process);
  }

  forget(runToken: string): void {
    this.#processes.delete(runToken);
  }

  /** The processes of services, for whoever looks at what they use. */
  get processes(): readonly WatchedProcess[] {
    return [...this.#processes.values()];
  }
}
