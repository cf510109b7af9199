import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CaptureCache } from '@reins/workspace-tree';
import { folder } from '../arguments.ts';
import { FolderWatch } from '../compile/folder-watch.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { reportError } from '../output/report.ts';
import { answerOf, compileLoaded, readWorkspace, showResult } from './compile.ts';

/** Editors write a file in several steps; this long after the first one all of them are done. */
const SETTLE_MS = 60;

/** `reins compile <dir> --watch`: one result for every state of the inputs that is seen, until the signal (Ctrl-C). */
export async function compileWatch(
  context: CliContext,
  dir: string,
  signal: AbortSignal = interrupted(),
): Promise<ExitCode> {
  const root = resolve(folder(dir));
  let changed = Promise.withResolvers<void>();
  const watch = new FolderWatch(root, () => changed.resolve());
  signal.addEventListener('abort', () => changed.resolve(), { once: true });
  watch.watchFor([]);
  context.note(`watching ${dir}; Ctrl-C ends`);
  const view = new WatchView(context, dir);
  try {
    while (!signal.aborted) {
      changed = Promise.withResolvers<void>();
      if (watch.watchFor(await view.refresh(root))) continue;
      await changed.promise;
      await wait(SETTLE_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    watch.close();
  }
  return EXIT.ok;
}

/** Shows what compiling gives, once for the same inputs. */
class WatchView {
  readonly #context: CliContext;
  readonly #dir: string;
  #cache: CaptureCache | undefined;
  #asked: ReadonlySet<string> = new Set();
  #shown = '';

  constructor(context: CliContext, dir: string) {
    this.#context = context;
    this.#dir = dir;
  }

  /** Reads and compiles, and answers with the files that the result depends on. A folder that cannot be read just now is told and tried again. */
  async refresh(root: string): Promise<ReadonlySet<string>> {
    try {
      const read = await readWorkspace(root, this.#cache);
      this.#cache = read.cache;
      this.#asked = read.asked;
      const result = compileLoaded(read);
      if (result.inputs_checksum === this.#shown) return read.asked;
      this.#shown = result.inputs_checksum;
      if (this.#context.json) this.#context.out(`${JSON.stringify(answerOf(result))}\n`);
      else {
        showResult(this.#context, this.#dir, result, read.refused);
        this.#context.note(`${result.counts.error} errors, ${result.counts.warning} warnings`);
      }
    } catch (error) {
      reportError(this.#context, error);
      this.#shown = '';
    }
    return this.#asked;
  }
}

function interrupted(): AbortSignal {
  const ended = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort());
  return ended.signal;
}
