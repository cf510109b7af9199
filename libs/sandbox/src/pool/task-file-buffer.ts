import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReinsError } from '@reins/contracts';
import { effectOfFile } from './untrusted.ts';

/** Files that one turn may keep. */
const MOST_FILES = 10_000;
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

/** Files of tasks that a child sent. They are written to the run directory when the turn that requested the tasks is accepted. */
export class TaskFileBuffer {
  readonly #runDir: string | undefined;
  #files = new Map<string, string>();

  constructor(runDir: string | undefined) {
    this.#runDir = runDir;
  }

  /** @param path run-relative, validated on arrival · @throws ReinsError `process_output_too_large` */
  add(path: string, content: string): void {
    if (this.#runDir === undefined) return;
    this.#files.set(path, content);
    if (this.#files.size <= MOST_FILES) return;
    const message = `a turn sent more than ${MOST_FILES} files of tasks`;
    throw new ReinsError({ code: 'process_output_too_large', message });
  }

  /** Writes the files of effects that the run has. Others belong to no task. */
  write(isKnown: (effectId: string) => boolean): void {
    for (const [path, content] of this.#files)
      if (isKnown(effectOfFile(path))) writeOnce(join(this.#runDir ?? '', path), content);
    this.#files = new Map();
  }
}

/** A replay sends files again. */
function writeOnce(file: string, content: string): void {
  if (isThere(file, content)) return;
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  } finally {
    closeSync(descriptor);
  }
}

function isThere(file: string, content: string): boolean {
  try {
    return readFileSync(file, 'utf8') === content;
  } catch {
    return false;
  }
}
