import { existsSync, lstatSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isToken, type JsonObject, ReinsError, type RunAddress } from '@reins/contracts';
import { RunDirectoryStore, runsRoot } from '@reins/run-directory';
import { wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';

/** The options of every command on run directories. */
export interface RunsFlags {
  readonly runsDir?: string;
}

/** An opened run directory. */
export interface RunHandle {
  readonly directory: string;
  readonly run: RunAddress;
  readonly store: RunDirectoryStore;
  /** `run.json` */
  readonly metadata: JsonObject;
}

/** The workspace id of runs outside an installation. */
export const LOCAL_WORKSPACE = 'local';

/** The folder of run directories: from `--runs-dir`, the environment, the repository or the home directory. */
export function rootOf({ env }: CliContext, { runsDir }: RunsFlags, runId?: string): string {
  const given = runsDir ?? env.BABYSITTER_RUNS_DIR;
  const scope = env.BABYSITTER_RUNS_SCOPE;
  const globalStateDir = env.BABYSITTER_GLOBAL_STATE_DIR;
  return runsRoot(
    {
      cwd: process.cwd(),
      ...(given && { runsDir: given }),
      ...(scope && { scope }),
      ...(globalStateDir && { globalStateDir }),
    },
    runId,
  );
}

/** Finds the run directory that an argument names by path or id; undefined when there is none. */
export function findRunDirectory(context: CliContext, argument: string, flags: RunsFlags): RunHandle | undefined {
  if (argument.trim() === '') throw wrongUsage('the run argument is empty');
  const path = resolve(argument);
  if (isRunDirectory(path)) return openRun(path);
  if (argument.includes('/') || argument.includes(sep)) return undefined;
  const directory = join(rootOf(context, flags, argument), argument);
  return isRunDirectory(directory) ? openRun(directory) : undefined;
}

export function openRun(directory: string): RunHandle {
  const store = new RunDirectoryStore(dirname(directory), basename(directory));
  const metadata = store.metadata({ workspaceId: LOCAL_WORKSPACE, runId: basename(directory) });
  const runId = typeof metadata.runId === 'string' && metadata.runId !== '' ? metadata.runId : basename(directory);
  const workspaceId = isToken(metadata.workspaceId) ? metadata.workspaceId : LOCAL_WORKSPACE;
  return { directory, run: { workspaceId, runId }, store, metadata };
}

/** The directory for a new run. @throws ReinsError `wrong_usage` for an invalid id */
export function newRunDirectory(root: string, runId: string): RunHandle {
  if (!isToken(runId))
    throw wrongUsage(`${JSON.stringify(runId)} is not a valid run id`, 'Use 1 to 64 letters, digits, "_" or "-".');
  return openRun(join(root, runId));
}

/**
 * Checks that the run does not exist. Blobs or a lock without an entry, left by a crash, do not count.
 * @param hint what to do instead
 * @throws ReinsError `run_exists`
 */
export async function assertNew({ store, run, directory }: RunHandle, hint: string): Promise<void> {
  const isLink = lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink && Object.keys(store.metadata(run)).length === 0 && (await store.load(run)).position === 0) return;
  const message = isLink ? `${directory} is a symbolic link` : `run ${run.runId} already exists`;
  throw new ReinsError({ code: 'run_exists', message, path: directory, hint });
}

/**
 * Creates a run under its lock. If `work` fails, everything that it wrote is removed; files that existed before stay.
 * @param work writes the run
 */
export async function createUnderLock<T>(
  { store, run, directory }: RunHandle,
  owner: string,
  work: () => Promise<T>,
): Promise<T> {
  const existed = existsSync(directory);
  try {
    return await store.exclusively(run, owner, async () => {
      const isNew = !isRunDirectory(directory);
      const before = new Set([...(await readdir(directory)), basename(store.pathsOf(run).lock)]);
      try {
        return await work();
      } catch (error) {
        store.forget(run);
        if (isNew) await removeOthers(directory, before);
        throw error;
      }
    });
  } catch (error) {
    // The folder is empty, now that the lock file is removed.
    if (!existed) await rmdir(directory).catch(() => undefined);
    throw error;
  }
}

async function removeOthers(directory: string, kept: ReadonlySet<string>): Promise<void> {
  const added = (await readdir(directory)).filter((name) => !kept.has(name));
  for (const name of added) await rm(join(directory, name), { recursive: true, force: true });
}

/** The hint for a command that can use another run id. */
export const OTHER_RUN_ID = 'Choose another --run-id, or leave it out to generate one.';

const isRunDirectory = (path: string): boolean =>
  existsSync(join(path, 'run.json')) || existsSync(join(path, 'journal'));
