import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isReinsError } from '@reins/contracts';
import { sweepRun } from '@reins/harness';
import type { WatchedProcess } from '../client/server-spec.ts';
import { copyOfRun } from '../files/run-copy.ts';
import { type OpenNetwork, sandboxWith } from '../own-network.ts';
import { type ToolContext, toolRunner } from '../packages/run-tool.ts';
import { SharedWork } from '../packages/shared-work.ts';
import { removePackage, temporaryName } from '../packages/unused-packages.ts';
import { contentHash, FolderTooLarge, listFolder, mentions } from './folder-content.ts';
import { copySetup, partsOf, readSetup, writeSetup } from './kept-setup.ts';
import { removeUnusedSetups, type SetupLimits } from './unused-setups.ts';

export interface SetupCacheOptions extends SetupLimits, Pick<ToolContext, 'path' | 'sandbox' | 'newToken'> {
  /** The folder of the host for results. Several hosts may share it. */
  readonly dir: string;
  /** Opens the network of one setup, which ends with it. Absent: setups have that of `sandbox`. */
  readonly openNetwork?: OpenNetwork | undefined;
  readonly onProcess?: (process: WatchedProcess) => void;
  /** Called when the process with this token has stopped for good. */
  readonly onStopped?: (runToken: string) => void;
}

/** The setup of an application for one run. */
export interface SetupRequest {
  readonly workspaceId: string;
  readonly appId: string;
  readonly command: string;
  /** The run's copy of the application's folder. */
  readonly folder: string;
  /** The run's copy of the tree, which has this folder. Other processes of the run may change it. */
  readonly tree: string;
  /** The home of the run's services. */
  readonly homeDir: string;
  /** The variables of its `env_contract`. */
  readonly environment: Readonly<Record<string, string>>;
}

const SETUP_MS = 300_000;
/** Setups that are known to need the folder of their run. */
const MAX_KNOWN = 1_000;
const KEY_FILE = '.key';

/**
 * The results of the setups of applications on this host. A setup runs once for each content: in an empty folder that
 * has only the files of the application, before any other code of the run. Runs get copies.
 */
export class SetupCache {
  readonly #options: SetupCacheOptions;
  readonly #setups = new SharedWork<boolean>();
  readonly #notKept = new Set<string>();
  #key: Promise<Buffer> | undefined;

  constructor(options: SetupCacheOptions) {
    this.#options = options;
  }

  /**
   * Puts the result of a setup into the folder of a run. Runs the setup if there is none; concurrent calls wait for the
   * same setup. Returns whether it did: a setup that fails in a folder of its own, or whose result depends on its
   * folder, must run in the folder of its run. @throws the reason of the signal
   */
  async apply(request: SetupRequest, signal: AbortSignal): Promise<boolean> {
    try {
      const name = await this.#nameOf(request, request.folder);
      for (let tries = 0; tries < 2 && !this.#notKept.has(name); tries += 1) {
        if (await this.#copy(request, name, signal)) return true;
        if (!(await this.#setups.run(name, signal, (stop) => this.#setUp(request, name, stop)))) this.#remember(name);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isFileError(error) && !isReinsError(error) && !(error instanceof FolderTooLarge)) throw error;
    }
    return false;
  }

  /** Removes results that are too old or too many. Never rejects. */
  removeUnused(): Promise<void> {
    return removeUnusedSetups(this.#options.dir, this.#options, Date.now());
  }

  async #copy(request: SetupRequest, name: string, signal: AbortSignal): Promise<boolean> {
    const folder = join(this.#options.dir, name);
    const record = await readSetup(folder);
    if (!record) return false;
    try {
      await copySetup(folder, record, request, this.#options, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (await readSetup(folder)) throw error;
      return false; // It was removed meanwhile.
    }
  }

  /** Whether the result is kept. */
  async #setUp(request: SetupRequest, name: string, stop: AbortSignal): Promise<boolean> {
    const { dir } = this.#options;
    const staging = join(dir, temporaryName());
    const { app, home } = partsOf(staging);
    try {
      await mkdir(join(home, 'tmp'), { recursive: true, mode: 0o700 });
      await mkdir(app);
      const from = { from: request.folder, readable: [request.tree] };
      await copyOfRun({ ...from, to: app, writable: [app] }, this.#options, stop);
      // Other code of the run may have changed the files meanwhile.
      if ((await this.#nameOf(request, app)) !== name) return false;
      const { names } = await listFolder(app);
      if (!(await this.#run(request, staging, stop))) return false;
      await rm(join(home, 'tmp'), { recursive: true, force: true });
      const { maxBytes } = this.#options;
      const bytes = await writeSetup(staging, names);
      if (bytes > maxBytes || (await mentions(app, basename(staging), maxBytes))) return false;
      return await this.#publish(staging, name);
    } finally {
      await rm(staging, { recursive: true, force: true }).catch(() => undefined);
      void this.removeUnused();
    }
  }

  /** Runs a setup with no access to its run. Returns whether it succeeded. */
  async #run({ appId, command, environment }: SetupRequest, staging: string, stop: AbortSignal): Promise<boolean> {
    const { path, newToken, openNetwork, onProcess, onStopped } = this.#options;
    const { app, home } = partsOf(staging);
    const network = await openNetwork?.(`setup of ${appId}`);
    const sandbox = sandboxWith(this.#options.sandbox, network);
    const runToken = newToken();
    onProcess?.({ runToken, kill: () => void sweepRun(runToken) });
    const context = { path, sandbox, newToken: () => runToken, variables: environment, homeDir: home };
    const signal = AbortSignal.any([stop, AbortSignal.timeout(SETUP_MS)]);
    try {
      const run = toolRunner({ ...context, folder: app, writable: [app, home] }, signal);
      const { exists, code } = await run(['/bin/sh', '-c', command]);
      return exists && code === 0;
    } catch (error) {
      stop.throwIfAborted();
      if (signal.aborted) return false;
      throw error;
    } finally {
      // What it left running must not change its result later.
      await sweepRun(runToken);
      network?.close();
      onStopped?.(runToken);
    }
  }

  /** Gives a result its name. Another host may have been faster. */
  async #publish(staging: string, name: string): Promise<boolean> {
    const target = join(this.#options.dir, name);
    if (!(await readSetup(target))) {
      await removePackage(this.#options.dir, name);
      await rename(staging, target).catch(() => undefined);
    }
    return (await readSetup(target)) !== undefined;
  }

  /** The name of a result: a hash of everything that a setup depends on. */
  async #nameOf({ workspaceId, command, environment }: SetupRequest, folder: string): Promise<string> {
    this.#key ??= readKey(this.#options.dir);
    const key = await this.#key.catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    const { platform, arch, version } = process;
    const variables = Object.entries(environment).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const { path } = this.#options;
    const parts = [
      workspaceId,
      command,
      variables,
      path,
      platform,
      arch,
      version,
      await contentHash(folder, this.#options.maxBytes),
    ];
    // Keyed, because the values of variables are secrets and the name can be seen.
    return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
  }

  #remember(name: string): void {
    this.#notKept.add(name);
    const [oldest] = this.#notKept;
    if (this.#notKept.size > MAX_KNOWN && oldest !== undefined) this.#notKept.delete(oldest);
  }
}

/** The key of the cache. The first host creates it. */
async function readKey(dir: string): Promise<Buffer> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, KEY_FILE);
  const temporary = join(dir, temporaryName());
  const existing = await readFile(file).catch(() => undefined);
  if (existing) return existing;
  await writeFile(temporary, randomBytes(32), { mode: 0o600 });
  // The first key stays, even if two hosts start at once.
  await link(temporary, file).catch(() => undefined);
  await rm(temporary, { force: true });
  return readFile(file);
}

const isFileError = (error: unknown): boolean => typeof (error as { syscall?: unknown })?.syscall === 'string';
