import { hashJson } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';
import type { PipelineExtension } from './pipeline-extension.ts';
import { memory } from './pipeline-memory.ts';
import { PipelineRun } from './pipeline-run.ts';

const ID = 'pipeline';

/** The first version, without extensions. Runs that started with it keep it. */
export const pipeline1: BuiltInProcess = {
  id: ID,
  codeHash: hashJson('pipeline/1'),
  run: (context, start) => new PipelineRun(context, start, []).run(),
};

/**
 * The second version. A run has the extensions that existed when it started: each leaves a mark in its journal.
 * @param extensions the first one is the outermost
 */
export const pipeline2 = (extensions: readonly PipelineExtension[]): BuiltInProcess => ({
  id: ID,
  codeHash: hashJson('pipeline/2'),
  run: (context, start) => {
    const own = extensions.filter(({ id }) => context.patched(`${ID} ${id}`));
    return new PipelineRun(
      context,
      start,
      own.map((extension) => extension.start(context, start)),
    ).run();
  },
});

/** The extensions of new runs. Never remove an extension that a run has recorded: journals depend on it. */
const EXTENSIONS: readonly PipelineExtension[] = [memory];

/** The default built-in process. */
export const pipeline = pipeline2(EXTENSIONS);
