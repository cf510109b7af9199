import { ReinsError } from '@reins/contracts';
import { writeTaskFile } from '@reins/replay/babysitter';
import { effectOfFile } from './untrusted.ts';

/** The maximum number of files in one turn. */
const MAX_FILES = 10_000;

/**
 * Task files that a child sent. They are written to the run directory when the turn that requested the tasks is
 * accepted.
 */
export class TaskFileBuffer {
  readonly #runDir: string | undefined;
  #files = new Map<string, string>();

  constructor(runDir: string | undefined) {
    this.#runDir = runDir;
  }

  /** @param path relative to the run directory, validated on arrival · @throws ReinsError `process_output_too_large` */
  add(path: string, content: string): void {
    if (this.#runDir === undefined) return;
    this.#files.set(path, content);
    if (this.#files.size <= MAX_FILES) return;
    const message = `a turn sent more than ${MAX_FILES} files of tasks`;
    throw new ReinsError({ code: 'process_output_too_large', message });
  }

  /** Writes the files of known effects. Other files belong to no task. */
  write(isKnown: (effectId: string) => boolean): void {
    for (const [path, content] of this.#files)
      if (this.#runDir !== undefined && isKnown(effectOfFile(path))) writeTaskFile(this.#runDir, path, content);
    this.#files = new Map();
  }
}
