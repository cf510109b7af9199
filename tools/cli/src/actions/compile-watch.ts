import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CaptureCache } from '@reins/workspace-tree';
import { folder } from '../arguments.ts';
import { FolderWatch } from '../compile/folder-watch.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { interrupted } from '../interrupted.ts';
import { reportError } from '../output/report.ts';
import { compileLoaded, compileOutput, readWorkspace, showResult } from './compile.ts';

/** Editors save a file in several steps. Wait this long after the first change. */
const SETTLE_MS = 60;

/** `reins compile <dir> --watch`: prints a result for every observed state of the inputs, until the signal aborts (Ctrl-C). */
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
  context.note(`watching ${dir}; press Ctrl-C to stop`);
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

/** Prints compile results, skipping inputs that did not change. */
class WatchView {
  readonly #context: CliContext;
  readonly #dir: string;
  #cache: CaptureCache | undefined;
  #dependencies: ReadonlySet<string> = new Set();
  #shownChecksum = '';

  constructor(context: CliContext, dir: string) {
    this.#context = context;
    this.#dir = dir;
  }

  /** Compiles the folder and returns the files that the result depends on. Reports a folder that cannot be read; the next change retries. */
  async refresh(root: string): Promise<ReadonlySet<string>> {
    try {
      const read = await readWorkspace(root, this.#cache);
      this.#cache = read.cache;
      this.#dependencies = read.dependencies;
      const result = compileLoaded(read);
      if (result.inputs_checksum === this.#shownChecksum) return read.dependencies;
      this.#shownChecksum = result.inputs_checksum;
      if (this.#context.json) this.#context.out(`${JSON.stringify(compileOutput(result))}\n`);
      else {
        showResult(this.#context, this.#dir, result, read.refused);
        this.#context.note(`${result.counts.error} errors, ${result.counts.warning} warnings`);
      }
    } catch (error) {
      reportError(this.#context, error);
      this.#shownChecksum = '';
    }
    return this.#dependencies;
  }
}
