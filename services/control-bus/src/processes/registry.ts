import { ReinsError } from '@reins/contracts';
import { BARE_RUN } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';
import { directTool } from './direct-tool.ts';
import { oneStage } from './one-stage.ts';
import { pipeline, pipeline1 } from './pipeline.ts';
import { stageAgain } from './stage-again.ts';
import { workflow } from './workflow.ts';

/** The process of a request that has none yet. It requests nothing until `command.run.assign` replaces it. */
const bareRun: BuiltInProcess = { id: BARE_RUN, codeHash: 'none', run: () => new Promise(() => undefined) };

/** The processes of new runs. */
const BUILT_IN: readonly BuiltInProcess[] = [pipeline, directTool, workflow, stageAgain, oneStage, bareRun];

/** Earlier versions, for runs that started with them. They are never removed. */
const EARLIER: readonly BuiltInProcess[] = [pipeline1];

/** The process of a request that does not name one. */
export const DEFAULT_PROCESS = pipeline.id;

/**
 * Looks up a built-in process.
 * @param codeHash the version that a run started with; the current version if it is absent or unknown here
 * @throws ReinsError `process_unknown`
 */
export function processOf(id: string, codeHash?: string): BuiltInProcess {
  const versions = [...BUILT_IN, ...EARLIER].filter((process) => process.id === id);
  const found = versions.find((process) => process.codeHash === codeHash) ?? versions[0];
  if (found) return found;
  throw new ReinsError({
    code: 'process_unknown',
    message: `unknown process ${id}`,
    path: 'process',
    hint: `Use a built-in process: ${BUILT_IN.map((process) => process.id).join(', ')}.`,
  });
}
