import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeptCode, type LoadedRun, readRun, statusOf } from '@reins/run-directory';
import type { RunHandle } from '../locate.ts';
import type { DiffSide } from '../run-backend.ts';

/** A run directory as one side of a comparison. */
export async function directoryDiffSide({ store, run }: RunHandle): Promise<DiffSide> {
  const loaded = await readRun(store, run);
  return { run, loaded, status: statusOf(loaded).state, files: filesOf(loaded) };
}

/** The folders of a run directory that processes and tasks write to. */
const FOLDERS = ['artifacts', 'process'];
/** The copies in `process/`. */
const COPY = /^(?:sha256\/)?[0-9a-f]{64}(?:\.json)?$/;

/** The files of the folders, and the modules of the kept code as `code/<path>` in place of the copies. */
function filesOf({ paths, state }: LoadedRun): ReadonlyMap<string, string> {
  const { modules = {} } = new KeptCode(paths).manifest(state.process.codeHash) ?? {};
  const files = new Map(Object.entries(modules).map(([path, { sha256 }]) => [`code/${path}`, sha256]));
  for (const folder of FOLDERS) {
    for (const path of listed(join(paths.root, folder)).filter((name) => folder !== 'process' || !COPY.test(name)))
      files.set(
        `${folder}/${path}`,
        createHash('sha256')
          .update(readFileSync(join(paths.root, folder, path)))
          .digest('hex'),
      );
  }
  return files;
}

function listed(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch {
    return [];
  }
}
