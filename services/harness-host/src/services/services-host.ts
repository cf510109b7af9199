import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ProcessSandbox } from '@reins/harness';
import type { Environment, Settings } from '@reins/service-kit';
import { makeProcessFolder, type ProcessIdentity, removeFolder } from '@reins/service-kit/folders';
import type {
  Connect,
  MissingTools,
  PackageCache,
  SetupCache,
  SharedServers,
  WatchedProcess,
} from '@reins/tool-gateway';
import type { RunNetwork } from '../executor/host-network.ts';
import { RUN_FOLDERS } from '../executor/run-folder.ts';
import { newRunToken } from '../executor/run-token.ts';
import type { HostSecrets } from '../secrets/host-secrets.ts';

/** The maximum number of runs whose missing tools are kept. */
const MAX_RUNS = 1_000;
const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

export interface ServicesHostOptions {
  readonly owner: ProcessIdentity;
  readonly path: string;
  readonly secrets: HostSecrets;
  /** The sandbox around everything that workspaces start. Absent: those processes have the rights of this host. */
  readonly sandbox?: ProcessSandbox | undefined;
  /** Opens the network of one request, shared server or setup. Absent: they have that of `sandbox`. */
  readonly openNetwork?: (user: string) => Promise<RunNetwork>;
  /** How this host connects to remote servers. Absent: without a restriction. */
  readonly connect?: Connect | undefined;
  /** The environment of this host. It says where packages come from and where they are kept. */
  readonly environment: Environment;
  /** The limits of the results of setups. */
  readonly setups: Pick<Settings['host'], 'setupCacheMb' | 'setupCacheDays'>;
}

/** The shared state of the services of all stage runs: PATH, sandbox, secrets, run tokens, and running processes. */
export class ServicesHost {
  readonly path: string;
  readonly sandbox: ProcessSandbox | undefined;
  readonly connect: Connect | undefined;
  readonly #owner: ProcessIdentity;
  readonly #openNetwork: ServicesHostOptions['openNetwork'];
  readonly #secrets: HostSecrets;
  readonly #processes = new Map<string, WatchedProcess>();
  readonly #missingTools = new Map<string, MissingTools>();
  readonly #environment: Environment;
  #packages: Promise<PackageCache> | undefined;
  #sharedServers: Promise<SharedServers> | undefined;
  #sharedDir: Promise<string> | undefined;
  readonly #setupLimits: ServicesHostOptions['setups'];
  #setups: Promise<SetupCache | undefined> | undefined;

  constructor({ owner, path, secrets, sandbox, openNetwork, connect, environment, setups }: ServicesHostOptions) {
    this.path = path;
    this.sandbox = sandbox;
    this.connect = connect;
    this.#owner = owner;
    this.#openNetwork = openNetwork;
    this.#secrets = secrets;
    this.#environment = environment;
    this.#setupLimits = setups;
  }

  /** The packages of MCP servers. Loaded when a stage needs them. */
  get packages(): Promise<PackageCache> {
    this.#packages ??= this.#openPackages();
    return this.#packages;
  }

  /** The servers that requests share. */
  get sharedServers(): Promise<SharedServers> {
    this.#sharedServers ??= this.#openShared();
    return this.#sharedServers;
  }

  async #openShared(): Promise<SharedServers> {
    const { SharedServers: Servers } = await import('@reins/tool-gateway');
    return new Servers({
      ...{ path: this.path, sandbox: this.sandbox, openNetwork: this.#openNetwork },
      newToken: () => this.newToken(),
      dir: () => {
        this.#sharedDir ??= makeProcessFolder(RUN_FOLDERS);
        return this.#sharedDir;
      },
      onProcess: (process) => this.watch(process),
      onStopped: (runToken) => this.forget(runToken),
    });
  }

  /** Stops the servers that requests share. */
  async close(): Promise<void> {
    await (await this.#sharedServers)?.close();
    const dir = await this.#sharedDir;
    if (dir !== undefined) await removeFolder(dir).catch(() => undefined);
  }

  /** The results of the setups of applications. Undefined: they are not kept. */
  get setups(): Promise<SetupCache | undefined> {
    this.#setups ??= this.#openSetups();
    return this.#setups;
  }

  async #openSetups(): Promise<SetupCache | undefined> {
    const { setupCacheMb, setupCacheDays } = this.#setupLimits;
    if (setupCacheMb === 0) return undefined;
    const { SetupCache: Cache } = await import('@reins/tool-gateway');
    const cache = new Cache({
      dir: this.#cacheDir('setups'),
      ...{ path: this.path, sandbox: this.sandbox, openNetwork: this.#openNetwork },
      newToken: () => this.newToken(),
      ...{ maxBytes: setupCacheMb * MIB, maxAgeMs: setupCacheDays * DAY_MS },
      onProcess: (process) => this.watch(process),
      onStopped: (runToken) => this.forget(runToken),
    });
    void cache.removeUnused();
    return cache;
  }

  #cacheDir(name: string): string {
    const home = this.#environment.HOME || homedir();
    return resolve(this.#environment.XDG_CACHE_HOME || join(home, '.cache'), 'reins', name);
  }

  async #openPackages(): Promise<PackageCache> {
    const { PackageCache: Cache, registryVariables } = await import('@reins/tool-gateway');
    const home = this.#environment.HOME || homedir();
    const cache = new Cache({
      dir: this.#cacheDir('packages'),
      path: this.path,
      variables: registryVariables(this.#environment, home),
      // The network is not restricted: the operator chooses registries, and installers run no code of packages.
      sandbox: this.sandbox && { ...this.sandbox, network: undefined },
      newToken: () => this.newToken(),
    });
    void cache.removeUnused();
    return cache;
  }

  /**
   * Opens the network of what a workspace starts. Undefined: it has that of `sandbox`.
   * @param user what uses it, in words
   */
  async openNetwork(user: string): Promise<RunNetwork | undefined> {
    return this.#openNetwork?.(user);
  }

  /** Creates a token for one process. If this host dies, the next one finds the process by it. */
  newToken(): string {
    return newRunToken(this.#owner);
  }

  /** Returns a variable that workspaces may use. */
  variable(name: string): string | undefined {
    return this.#secrets.environment(name);
  }

  /** The tools that servers of a run lacked in earlier stages on this host. Later stages do not wait for them. */
  missingToolsOf(runId: string): MissingTools {
    const known = this.#missingTools.get(runId) ?? new Map();
    // The newest run is last, and the oldest one is dropped.
    this.#missingTools.delete(runId);
    this.#missingTools.set(runId, known);
    const [oldest] = this.#missingTools.keys();
    if (this.#missingTools.size > MAX_RUNS && oldest !== undefined) this.#missingTools.delete(oldest);
    return known;
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
