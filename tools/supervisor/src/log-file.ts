import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A larger log file is renamed to `<name>.log.1` when it is opened. */
const ROTATE_AT_BYTES = 16 * 1024 * 1024;

/** The log file of a part. Lines are written unchanged, because every part writes its own timestamps. */
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
  stream.on('error', () => {}); // A full disk must not stop the system.
  return {
    path,
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}
