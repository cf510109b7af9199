import { ReinsError } from '@reins/contracts';
import { bareRun } from './bare-run.ts';
import type { BuiltInProcess } from './built-in-process.ts';
import { directTool } from './direct-tool.ts';
import { oneStage } from './one-stage.ts';
import { pipeline } from './pipeline.ts';
import { stageAgain } from './stage-again.ts';
import { workflow } from './workflow.ts';

const BUILT_IN: readonly BuiltInProcess[] = [pipeline, directTool, workflow, stageAgain, oneStage, bareRun];

/** What drives a request that names no process. */
export const DEFAULT_PROCESS = pipeline.id;

/**
 * The one place where the process of a run is looked up.
 * @throws ReinsError `process_unknown`
 */
export function processOf(id: string): BuiltInProcess {
  const found = BUILT_IN.find((definition) => definition.id === id);
  if (found) return found;
  throw new ReinsError({
    code: 'process_unknown',
    message: `there is no process ${id}`,
    path: 'process',
    hint: `built in: ${BUILT_IN.map((definition) => definition.id).join(', ')}`,
  });
}
