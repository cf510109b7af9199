import { isObject, type JsonObject, type Stage } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { type PipelineInputs, type SharedStage, stageKey } from '../processes/pipeline-inputs.ts';

/**
 * How the stages were done that a fork of a pipeline shares, as their preparations and their requests say it.
 * @param before what the other run was given: it was said for each of them, where a preparation is too large to say it itself
 */
export function sharedStages(
  entries: readonly Entry[],
  before: Pick<PipelineInputs, 'model' | 'thinkingValue'>,
): Readonly<Record<string, SharedStage>> {
  const stages: Record<string, SharedStage> = {};
  const prepared = new Map<unknown, { readonly key: string; readonly words: JsonObject }>();
  for (const { type, data } of entries) {
    if (type !== 'EFFECT_REQUESTED') continue;
    const { stage, iteration, input, runtimeId, runtimeSource } = data.request;
    if (data.kind === 'prepare')
      prepared.set(stage, {
        key: stageKey(stage as Stage, Number(iteration)),
        words: wordsIn(isObject(input) ? (input as JsonObject) : { ...before }),
      });
    const known = data.kind === 'stage' && prepared.get(stage);
    if (known) stages[known.key] = { ...known.words, runtimeId, runtimeSource } as unknown as SharedStage;
  }
  return stages;
}

const wordsIn = ({ model, thinkingValue }: JsonObject): JsonObject => ({
  ...(model !== undefined && { model }),
  ...(thinkingValue !== undefined && { thinkingValue }),
});
