import { ReinsError } from '@reins/contracts';
import { bareRun } from './bare-run.ts';
import type { BuiltInProcess } from './built-in-process.ts';
import { directTool } from './direct-tool.ts';
import { oneStage } from './one-stage.ts';
import { pipeline } from './pipeline.ts';
import { stageAgain } from './stage-again.ts';
import { workflow } from './workflow.ts';

const BUILT_IN: readonly BuiltInProcess[] = [pipeline, directTool, workflow, stageAgain, oneStage, bareRun];

/** The process of a request that does not name one. */
export const DEFAULT_PROCESS = pipeline.id;

/** Looks up a built-in process. @throws ReinsError `process_unknown` */
export function processOf(id: string): BuiltInProcess {
  const found = BUILT_IN.find((definition) => definition.id === id);
  if (found) return found;
  throw new ReinsError({
    code: 'process_unknown',
    message: `unknown process ${id}`,
    path: 'process',
    hint: `Use a built-in process: ${BUILT_IN.map((definition) => definition.id).join(', ')}.`,
  });
}
