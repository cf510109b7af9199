import * as real from 'node:fs';
import { join } from 'node:path';
import { refusing } from '../refusals.ts';
import promisesFacade from './fs-promises.ts';
import { type Encoding, encodingOf, isPlaced, placed, reading } from './placed.ts';

type Path = string | URL;

function read(path: string, encoding: BufferEncoding | null): string | Buffer {
  return encoding === null ? real.readFileSync(path) : real.readFileSync(path, encoding);
}

/**
 * Lists a folder without hidden files. Node.js itself would list them, and follow links out of the folder of the
 * process.
 */
function namesWithin(folder: string): string[] {
  return real.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || !isPlaced(path)) return [entry.name];
    return [entry.name, ...namesWithin(path).map((name) => join(entry.name, name))];
  });
}

/** `node:fs` for processes: synchronous reads in their own folder. The files should not change during a run. */
const fs = {
  readFileSync: (path: Path, options?: Encoding) => reading(path, (file) => read(file, encodingOf(options))),
  readdirSync: (path: Path, options?: { recursive?: boolean }) =>
    reading(path, (file) => (options?.recursive === true ? namesWithin(file) : real.readdirSync(file))).sort(),
  statSync: (path: Path) => {
    const stats = reading(path, (file) => real.statSync(file));
    const [isFile, isDirectory] = [stats.isFile(), stats.isDirectory()];
    return { size: stats.size, isFile: () => isFile, isDirectory: () => isDirectory };
  },
  existsSync: (path: Path): boolean => {
    try {
      return real.existsSync(placed(path));
    } catch {
      return false;
    }
  },
  promises: promisesFacade,
  writeFileSync: refusing('fs.writeFileSync'),
  appendFileSync: refusing('fs.appendFileSync'),
  mkdirSync: refusing('fs.mkdirSync'),
  rmSync: refusing('fs.rmSync'),
  unlinkSync: refusing('fs.unlinkSync'),
  renameSync: refusing('fs.renameSync'),
  openSync: refusing('fs.openSync'),
};

export const { readFileSync, readdirSync, statSync, existsSync, promises } = fs;
export const { writeFileSync, appendFileSync, mkdirSync, rmSync, unlinkSync, renameSync, openSync } = fs;
export default fs;
