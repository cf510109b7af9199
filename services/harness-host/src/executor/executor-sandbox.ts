import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { BusLog } from '@reins/bus';
import type { ProcessNetwork, ProcessSandbox } from '@reins/harness';
import { probe } from '@reins/os-sandbox';
import type { Environment, Settings } from '@reins/service-kit';
import { keyFiles } from '../secrets/host-secrets.ts';

/** Temporary files of other processes, Unix sockets, and mounted secrets. */
const MACHINE_FOLDERS = ['/tmp', '/var/tmp', '/run'];
const HOMES = ['/home', '/root', homedir()];
/** The folder in which an installation keeps its state. */
const STATE_FOLDER = '.reins';
const SETTINGS_FILES = ['reins.yaml', 'reins.toml'];

type SandboxSettings = Pick<Settings['host'], 'sandbox'> & {
  readonly usersDir?: string | undefined;
  readonly providers: Settings['providers'];
};

/**
 * The sandbox of the executors of this host, and of what workspaces start. Undefined: they run without one, because
 * `host.sandbox` is `off`, or because it is `preferred` and the host has none.
 */
export async function executorSandbox(
  { sandbox: rule, usersDir, providers }: SandboxSettings,
  environment: Environment,
  log: BusLog,
): Promise<ProcessSandbox | undefined> {
  if (rule === 'off') {
    log.warn({ rule }, 'executors run without a sandbox');
    return undefined;
  }
  const isolation = await probe();
  const { backend, lacks } = isolation;
  log[lacks.length === 0 ? 'info' : 'warn']({ backend, lacks, rule }, 'executor sandbox probed');
  if (rule === 'preferred' && backend === 'none') return undefined;
  const keys = keyFiles(providers).map(([, file]) => file);
  return { rule, isolation, hidden: [...new Set([...hiddenPaths(process.cwd(), usersDir, environment), ...keys])] };
}

/**
 * The sandbox of MCP servers, workspace tools and applications. Homes are not hidden: the programs that start servers,
 * such as `uvx`, are often installed there. The state of the installation in a home stays hidden.
 * @param network what they can connect to. Absent: everything that this host can reach
 */
export function serviceSandbox(
  sandbox: ProcessSandbox | undefined,
  network?: ProcessNetwork,
): ProcessSandbox | undefined {
  const hidden = sandbox?.hidden.filter((path) => !HOMES.includes(path)) ?? [];
  return sandbox && { ...sandbox, hidden, ...(network && { network }) };
}

/**
 * Whether the host finds all processes of a service, to suspend them. Under Landlock it does not find one that has
 * removed the token from its environment. Without a sandbox, hiding gains a service nothing.
 */
export const canSuspend = (sandbox: ProcessSandbox | undefined): boolean =>
  sandbox === undefined || sandbox.isolation.backend === 'bubblewrap';

/** What no executor may read: secrets and state of the installation, other runs, and the homes of users. */
export function hiddenPaths(cwd: string, usersDir: string | undefined, { REINS_CONFIG }: Environment): string[] {
  const settingsFiles = [...SETTINGS_FILES, ...(REINS_CONFIG ? [REINS_CONFIG] : [])].map((name) => resolve(cwd, name));
  const seeds = usersDir === undefined ? [] : [resolve(cwd, usersDir)];
  const states = [cwd, ...seeds].flatMap(ancestorsOf).map((folder) => join(folder, STATE_FOLDER));
  const within = seeds.flatMap(ancestorsOf).filter((folder) => basename(folder) === STATE_FOLDER);
  return [...new Set([...MACHINE_FOLDERS, ...HOMES, tmpdir(), ...settingsFiles, ...seeds, ...states, ...within])];
}

function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}
