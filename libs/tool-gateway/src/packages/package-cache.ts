import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defined, isReinsError } from '@reins/contracts';
import type { ProcessSandbox } from '@reins/harness';
import type { ServerPackage } from '@reins/runtime-config';
import { type PackageRecord, readRecord, writeRecord } from './installed-package.ts';
import type { Installer, InstallJob, PackagePrograms, PackageRuntime } from './installer.ts';
import { npmInstaller } from './npm-installer.ts';
import { cacheUnusable, installFailed, integrityDiffers } from './package-failures.ts';
import { pypiInstaller } from './pypi-installer.ts';
import { type RunTool, toolRunner } from './run-tool.ts';
import { SharedWork } from './shared-work.ts';
import { removePackage, removeUnused, temporaryName } from './unused-packages.ts';

export interface PackageCacheOptions {
  /** The folder of the host for installed packages. Several hosts may share it. */
  readonly dir: string;
  readonly path: string;
  /** The variables for registries, proxies and certificates. */
  readonly variables: Readonly<Record<string, string>>;
  /** The sandbox in which installers run. Absent: they have the rights of this process. */
  readonly sandbox: ProcessSandbox | undefined;
  readonly newToken: () => string;
}

/** A package in the cache. */
export interface InstalledPackage extends PackagePrograms {
  readonly folder: string;
  /** The folder of its programs. */
  readonly programsDir: string;
}

const INSTALLERS: Readonly<Record<ServerPackage['registry'], Installer>> = { npm: npmInstaller, pypi: pypiInstaller };
const INSTALL_MS = 300_000;
const RUNTIME_MS = 60_000;

/**
 * The packages of MCP servers on this host. Each is installed once, in a folder whose name is a hash of its registry,
 * name and version and of the runtime and platform for which it is installed.
 */
export class PackageCache {
  readonly #options: PackageCacheOptions;
  readonly #installs = new SharedWork<InstalledPackage>();
  readonly #runtimes = new Map<ServerPackage['registry'], Promise<PackageRuntime>>();

  constructor(options: PackageCacheOptions) {
    this.#options = options;
  }

  /**
   * Returns an installed package. Installs it if it is not there, or if files of it are missing; concurrent calls wait
   * for the same installation.
   * @param onInstall called before an installation
   * @throws ReinsError `mcp_package_…`, `sandbox_unavailable`; the reason of the signal
   */
  async use(item: ServerPackage, onInstall: () => void, signal: AbortSignal): Promise<InstalledPackage> {
    const runtime = await this.#runtime(item);
    const name = folderName(item, runtime.id);
    const found = await this.#find(item, name);
    if (found) return found;
    onInstall();
    return this.#installs.run(name, signal, (stop) => this.#install({ item, runtime }, name, stop));
  }

  /** Removes packages that were not used for a long time. Never rejects. */
  removeUnused(): Promise<void> {
    return removeUnused(this.#options.dir, new Date());
  }

  /** Looked up once: a host is restarted when its programs are replaced. */
  #runtime(item: ServerPackage): Promise<PackageRuntime> {
    const known = this.#runtimes.get(item.registry);
    if (known) return known;
    const runtime = within(item, RUNTIME_MS, undefined, (signal) =>
      this.#inFolder(item, signal, ({ run }) => INSTALLERS[item.registry].runtime(item, run)),
    );
    this.#runtimes.set(item.registry, runtime);
    // The program may be installed before the next stage.
    runtime.catch(() => this.#runtimes.delete(item.registry));
    return runtime;
  }

  async #find(item: ServerPackage, name: string): Promise<InstalledPackage | undefined> {
    const folder = join(this.#options.dir, name);
    const record = await readRecord(folder);
    if (!record) return undefined;
    const { integrity } = record;
    // A package that was installed without a declared hash is compared with the hash of its registry, if that is known.
    if (item.integrity === undefined || item.integrity === integrity) return installed(item, folder, record);
    if (integrity !== undefined) throw integrityDiffers(item, integrity);
    return undefined;
  }

  async #install(
    { item, runtime }: Pick<InstallJob, 'item' | 'runtime'>,
    name: string,
    stop: AbortSignal,
  ): Promise<InstalledPackage> {
    const finalFolder = join(this.#options.dir, name);
    const install = async ({ run, staging }: Staging): Promise<InstalledPackage> => {
      const folder = join(staging, 'package');
      await mkdir(folder);
      const programs = await INSTALLERS[item.registry].install({ item, runtime, folder, finalFolder, run });
      const integrity = item.integrity === undefined ? {} : { integrity: item.integrity };
      const record = await writeRecord(folder, { ...programs, ...integrity });
      await this.#publish(item, folder, name);
      return installed(item, finalFolder, record);
    };
    try {
      return await within(item, INSTALL_MS, stop, (signal) => this.#inFolder(item, signal, install));
    } finally {
      void this.removeUnused();
    }
  }

  /** Gives an installation its name. Another host may have been faster. */
  async #publish(item: ServerPackage, folder: string, name: string): Promise<void> {
    const { dir } = this.#options;
    const target = join(dir, name);
    for (let attempts = 0; ; attempts += 1) {
      try {
        await rename(folder, target);
        return;
      } catch (error) {
        if (attempts === 3) throw error;
        if (await this.#find(item, name)) return;
        await removePackage(dir, name);
      }
    }
  }

  /** Calls `work` with a temporary folder, and with a function that runs programs that can change only this folder. */
  async #inFolder<T>(item: ServerPackage, signal: AbortSignal, work: (parts: Staging) => Promise<T>): Promise<T> {
    const { dir, path, variables, sandbox, newToken } = this.#options;
    const staging = join(dir, temporaryName());
    const homeDir = join(staging, 'home');
    try {
      await mkdir(join(homeDir, 'tmp'), { recursive: true, mode: 0o700 });
      const run = toolRunner({ folder: staging, homeDir, path, variables, sandbox, newToken }, signal);
      return await work({ run, staging });
    } catch (error) {
      if (signal.aborted || isReinsError(error)) throw error;
      throw cacheUnusable(item, dir, error instanceof Error ? error.message : String(error));
    } finally {
      await rm(staging, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

interface Staging {
  readonly run: RunTool;
  readonly staging: string;
}

/** @throws ReinsError `mcp_package_install_failed` when the time is up */
async function within<T>(
  item: ServerPackage,
  ms: number,
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(ms);
  try {
    return await work(stop ? AbortSignal.any([stop, timeout]) : timeout);
  } catch (error) {
    if (timeout.aborted && !stop?.aborted) throw installFailed(item, `took longer than ${ms / 60_000} minutes`);
    throw error;
  }
}

const installed = (item: ServerPackage, folder: string, { programs, program }: PackageRecord): InstalledPackage => ({
  folder,
  programsDir: join(folder, INSTALLERS[item.registry].programsIn),
  programs,
  ...defined({ program }),
});

/** Readable for people, and unique by the hash. */
function folderName({ registry, name, version }: ServerPackage, runtime: string): string {
  const { platform, arch } = process;
  const key = JSON.stringify([registry, name, version, platform, arch, runtime]);
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return `${registry}-${name.replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(0, 80)}-${hash}`;
}
