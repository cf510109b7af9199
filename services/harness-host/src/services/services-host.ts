import type { ProcessIdentity } from '@reins/service-kit/folders';
import type { WatchedProcess } from '@reins/tool-gateway';
import { newRunToken } from '../executor/run-token.ts';
import type { HostSecrets } from '../secrets/host-secrets.ts';

export interface ServicesHostOptions {
  readonly owner: ProcessIdentity;
  readonly path: string;
  readonly secrets: HostSecrets;
}

/** The shared state of the services of all stage runs: PATH, secrets, run tokens, and running processes. */
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

  /** Creates a token for one process. If this host dies, the next one finds the process by it. */
  newToken(): string {
    return newRunToken(this.#owner);
  }

  /** Returns a variable that workspaces may use. */
  variable(name: string): string | undefined {
    return this.#secrets.environment(name);
  }

  watch(process: WatchedProcess): void {
    this.#processes.set(process.runToken, process);
  }

  forget(runToken: string): void {
    this.#processes.delete(runToken);
  }

  /** The processes of services, for the memory guard. */
  get processes(): readonly WatchedProcess[] {
    return [...this.#processes.values()];
  }
}
