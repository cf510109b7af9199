import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJson } from '@reins/contracts';
import { type CopyContext, copyOfRun } from '../files/run-copy.ts';
import { listFolder } from './folder-content.ts';

/** Written last. A folder without it is not the result of a setup. */
const RECORD = 'record.json';

/** The parts of a result: the folder of the application, and the home of its setup. */
export const partsOf = (folder: string): { readonly app: string; readonly home: string } => ({
  app: join(folder, 'app'),
  home: join(folder, 'home'),
});

interface SetupRecord {
  /** Files of the application that its setup removed. */
  readonly removed: readonly string[];
  readonly bytes: number;
  /** A hash of the names and sizes of all files. */
  readonly files: string;
}

/** Describes a complete result, in its folder. Returns its size. */
export async function writeSetup(folder: string, before: readonly string[]): Promise<number> {
  const { app, home } = partsOf(folder);
  const [apps, homes] = await Promise.all([listFolder(app), listFolder(home)]);
  const present = new Set(apps.names);
  const bytes = apps.bytes + homes.bytes;
  const removed = before.filter((name) => !present.has(name));
  const record: SetupRecord = { removed, bytes, files: `${apps.hash} ${homes.hash}` };
  await writeFile(join(folder, RECORD), JSON.stringify(record));
  return bytes;
}

/** Reads a result, and records its use. Undefined: there is none, or files of it are missing or have another size. */
export async function readSetup(folder: string): Promise<SetupRecord | undefined> {
  const { app, home } = partsOf(folder);
  try {
    const record = parseJson(await readFile(join(folder, RECORD)));
    const [apps, homes] = await Promise.all([listFolder(app), listFolder(home)]);
    if (!isObject(record) || record.files !== `${apps.hash} ${homes.hash}`) return undefined;
    const now = new Date();
    await utimes(join(folder, RECORD), now, now);
    return record as unknown as SetupRecord;
  } catch {
    return undefined;
  }
}

/** The size of a result; undefined if the folder has none. Does not record a use. */
export async function sizeOfSetup(folder: string): Promise<number | undefined> {
  const record = await readFile(join(folder, RECORD)).then(parseJson, () => undefined);
  return isObject(record) && typeof record.bytes === 'number' ? record.bytes : undefined;
}

/** The file whose modification time is the last use of a result. */
export const recordOf = (folder: string): string => join(folder, RECORD);

/**
 * Copies a result to a run, which may change its copy.
 * @throws ReinsError `app_start_failed`, such as when the result is removed meanwhile; the reason of the signal
 */
export async function copySetup(
  folder: string,
  { removed }: SetupRecord,
  to: { readonly folder: string; readonly tree: string; readonly homeDir: string },
  context: CopyContext,
  signal: AbortSignal,
): Promise<void> {
  const { app, home } = partsOf(folder);
  const readable = [folder];
  await copyOfRun({ from: app, to: to.folder, removed, readable, writable: [to.tree] }, context, signal);
  await copyOfRun({ from: home, to: to.homeDir, readable, writable: [to.homeDir] }, context, signal);
}
