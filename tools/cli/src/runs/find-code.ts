import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isReinsError, ReinsError } from '@reins/contracts';
import {
  changedModules,
  hasCodeHash,
  isSameCode,
  type ProcessCode,
  type ProcessManifest,
  sha256Of,
} from '@reins/journal';
import { type KeptCode, manifestPath } from '@reins/run-directory';
import type { ModuleGraph, ReadProcess } from '@reins/sandbox';
import { noSuchProcess } from './entrypoint.ts';

/** What a run directory knows about the code of its process. */
export interface RecordedCode {
  /** The hash of the code in the journal; undefined for a process that is new to the run. */
  readonly recorded: string | undefined;
  /** The code that the run directory keeps. */
  readonly kept: KeptCode | undefined;
  /** Whether only the recorded code will do. Default: the code at the path, which the author may have changed. */
  readonly isExact: boolean | undefined;
}

export interface FoundCode extends ReadProcess {
  /** Whether it is the recorded code. */
  readonly isRecorded: boolean;
}

/**
 * Finds the code of a process: at its path, or else in the run directory. The code at the path may have changed since it
 * was recorded; the engine records that, or finds that it does not fit the journal.
 * @param note receives a line when the recorded code is not at the path
 * @throws ReinsError `process_not_found` without any code · `process_import_refused` · `process_invalid`
 */
export async function findCode(
  path: string,
  { recorded, kept, isExact = false }: RecordedCode,
  note: (line: string) => void,
): Promise<FoundCode> {
  const hash = recorded === undefined ? undefined : kept?.copyOf(recorded);
  const manifest = hash === undefined ? undefined : kept?.manifest(hash);
  const copy = async (why: string) => ({ ...(await keptCode(kept, hash, note, why)), isRecorded: true });
  let read: ReadProcess;
  try {
    read = await readAt(path);
  } catch (error) {
    // An author who made an error in the first module has to see it.
    if (!isReinsError(error) || hash === undefined || isChanged(path, manifest)) throw error;
    return copy(
      existsSync(path) ? `the process at ${path} cannot be loaded (${error.message})` : `there is no ${path}`,
    );
  }
  const isRecorded = recorded !== undefined && isCode(read.code, recorded, manifest);
  if (isExact && !isRecorded && manifest) return copy(`the code at ${path} has changed`);
  if (manifest && !isSameCode(manifest, read.code.manifest)) {
    const changed = changedModules(manifest, read.code.manifest).join(', ');
    note(`the code at ${path} differs from the recorded code in ${changed} (recorded: ${manifestPath(hash ?? '')})`);
  }
  return { ...read, isRecorded };
}

/** Reads the code of a process. @throws ReinsError as `findCode` */
export async function readAt(path: string): Promise<ReadProcess> {
  const { locateModule, readProcess } = await import('@reins/sandbox');
  if (!existsSync(path)) throw noSuchProcess(path, path);
  return readProcess(await locateModule(path));
}

const isCode = ({ manifest }: ProcessCode, recorded: string, known: ProcessManifest | undefined): boolean =>
  hasCodeHash(manifest, recorded) || (known !== undefined && isSameCode(manifest, known));

/** Whether the first module is there, and is not the recorded one. */
function isChanged(path: string, manifest: ProcessManifest | undefined): boolean {
  if (!existsSync(path)) return false;
  return manifest === undefined || sha256Of(readFileSync(path)) !== manifest.modules[manifest.entry]?.sha256;
}

/** The code that the run directory keeps. @throws ReinsError `process_not_found` when it is missing or was changed */
async function keptCode(
  kept: KeptCode | undefined,
  recorded = '',
  note: (line: string) => void,
  why: string,
): Promise<{ readonly graph: ModuleGraph; readonly code: ProcessCode }> {
  const { keptProcess } = await import('@reins/sandbox');
  const code = kept?.read(recorded);
  if (!kept || !code) throw unusableCopy(why, kept?.problems(recorded).map(({ message }) => message) ?? []);
  const graph = await keptProcess(code, folderOf(kept));
  note(`${why}: used the code that the run keeps (${manifestPath(recorded)})`);
  return { graph, code };
}

/** The real path of the folder. A process may read its folder, so a link must not lead to another one. */
function folderOf({ folder }: KeptCode): string {
  const real = realpathSync(folder);
  const isFolder = real === join(realpathSync(dirname(folder)), basename(folder));
  // The permission model of Node.js would read a * as a pattern.
  if (isFolder && !real.includes('*')) return real;
  const why = isFolder ? 'the path of the run directory has a *' : `${folder} is a symbolic link`;
  throw unusableCopy(`the code that the run keeps cannot run: ${why}`, []);
}

const unusableCopy = (why: string, problems: readonly string[]): ReinsError =>
  new ReinsError({
    code: 'process_not_found',
    message: [why, ...problems].join('; '),
    path: 'process',
    hint: 'Restore the process at its path, or the copy in the run directory.',
  });
