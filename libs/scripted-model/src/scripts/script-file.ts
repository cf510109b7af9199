import { readFileSync, statSync } from 'node:fs';
import { parseScript, type Script } from './script.ts';

/** A script in a file that people change while the server runs. */
export class ScriptFile {
  readonly #path: string;
  #readAt: string | undefined;
  #script: Script | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The script as it is now; undefined without a file. @throws ReinsError `script_invalid`; SyntaxError without JSON */
  current(): Script | undefined {
    const changed = statSync(this.#path, { throwIfNoEntry: false });
    const readAt = changed && `${changed.ino} ${changed.mtimeMs} ${changed.size}`;
    if (readAt !== this.#readAt) {
      this.#script = changed && parseScript(this.#path, JSON.parse(readFileSync(this.#path, 'utf8')));
      this.#readAt = readAt;
    }
    return this.#script;
  }
}
