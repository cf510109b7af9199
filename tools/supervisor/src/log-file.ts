import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file that is larger when it is opened becomes `<name>.log.1`. */
const ROTATE_AT_BYTES = 16 * 1024 * 1024;

/** Where a part's output goes, line by line as it comes: every part writes the time itself. */
export interface LogFile {
  readonly path: string;
  write(line: string): void;
  close(): Promise<void>;
}

export function openLogFile(stateDir: string, name: string): LogFile {
  const folder = join(stateDir, 'logs');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_AT_BYTES) renameSync(path, `${path}.1`);
  const stream = createWriteStream(path, { flags: 'a' });
  stream.on('error', () => {}); // a full disk must not end the system that writes about it
  return {
    path,
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}
