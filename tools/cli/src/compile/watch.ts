import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CompileResult } from '@reins/workspace-plan';
import type { CaptureCache } from '@reins/workspace-tree';
import { folder } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { interrupted } from '../interrupted.ts';
import { reportError } from '../output/report.ts';
import { compileLoaded, compileOutput, type LoadedWorkspace, readWorkspace, showResult } from './actions.ts';
import { FolderWatch } from './folder-watch.ts';
import { type InstallationModels, installationModels } from './installation-models.ts';

/** Editors save a file in several steps. Wait this long after the first change. */
const SETTLE_MS = 60;
/** Modules of the workspace itself. Installed packages have too many folders to watch. */
const MODULE = /^(?!.*node_modules\/).*\.[cm]?[jt]s$/;

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
  const view = new WatchView(context, dir, await installationModels(context));
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
  readonly #models: InstallationModels;
  #cache: CaptureCache | undefined;
  #dependencies: ReadonlySet<string> = new Set();
  /** The state that was shown last: the inputs, and the findings, which also depend on the code. */
  #shown = '';

  constructor(context: CliContext, dir: string, models: InstallationModels) {
    this.#context = context;
    this.#dir = dir;
    this.#models = models;
  }

  /** Compiles the folder and returns the files that the result depends on. Reports a folder that cannot be read; the next change retries. */
  async refresh(root: string): Promise<ReadonlySet<string>> {
    try {
      const read = await readWorkspace(root, this.#cache);
      this.#cache = read.cache;
      const result = await compileLoaded(root, read, this.#models);
      this.#dependencies = new Set([...read.dependencies, ...codeOf(read, result)]);
      const state = `${result.inputs_checksum} ${JSON.stringify(result.diagnostics)}`;
      if (state === this.#shown) return this.#dependencies;
      this.#shown = state;
      if (this.#context.json) this.#context.out(`${JSON.stringify(compileOutput(result))}\n`);
      else {
        showResult(this.#context, this.#dir, result, read.refused);
        this.#context.note(`${result.counts.error} errors, ${result.counts.warning} warnings`);
      }
    } catch (error) {
      reportError(this.#context, error);
      this.#shown = '';
    }
    return this.#dependencies;
  }
}

/** The modules of a workspace that has tools or a process. A finding may be in a module that they import. */
function codeOf({ files }: LoadedWorkspace, { diagnostics, ...result }: CompileResult): readonly string[] {
  const hasCode = result.ok && (result.plan.workspace_mcp_catalog.length > 0 || result.plan.extensions?.process);
  const isWrong = diagnostics.some(({ code }) => code === 'workspace_module_invalid');
  return hasCode || isWrong ? [...files.keys()].filter((path) => MODULE.test(path)) : [];
}
