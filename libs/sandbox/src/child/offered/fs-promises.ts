import * as real from 'node:fs/promises';
import { onlyInSteps } from '../ambient.ts';
import { refusing } from '../refusals.ts';
import { type Encoding, encodingOf, readingLater } from './placed.ts';

type Path = string | URL;

function read(path: string, encoding: BufferEncoding | null): Promise<string | Buffer> {
  return encoding === null ? real.readFile(path) : real.readFile(path, encoding);
}

/**
 * `node:fs/promises` for processes: reads in their own folder, only within steps, because the promises settle at any
 * time.
 */
const promises = {
  readFile: onlyInSteps(
    'fs.promises.readFile',
    (path: Path, options?: Encoding) => readingLater(path, (file) => read(file, encodingOf(options))),
    'fs.readFileSync',
  ),
  readdir: onlyInSteps(
    'fs.promises.readdir',
    (path: Path) => readingLater(path, (file) => real.readdir(file)),
    'fs.readdirSync',
  ),
  writeFile: refusing('fs.promises.writeFile'),
  appendFile: refusing('fs.promises.appendFile'),
  mkdir: refusing('fs.promises.mkdir'),
  rm: refusing('fs.promises.rm'),
  open: refusing('fs.promises.open'),
};

export const { readFile, readdir, writeFile, appendFile, mkdir, rm, open } = promises;
export default promises;
