import { isObject, type JsonObject, type Stage } from '@reins/contracts';
import { type Entry, effectKind } from '@reins/journal';
import { type PipelineInputs, type SharedStage, stageKey } from '../processes/pipeline-inputs.ts';

/**
 * How the shared stages of a pipeline fork were run, read from their `prepare` and `stage` requests.
 * @param before the inputs of the origin run, used when a `prepare` request is stored as a blob
 */
export function sharedStages(
  entries: readonly Entry[],
  before: Pick<PipelineInputs, 'model' | 'thinkingValue'>,
): Readonly<Record<string, SharedStage>> {
  const stages: Record<string, SharedStage> = {};
  const prepared = new Map<unknown, { readonly key: string; readonly options: JsonObject }>();
  for (const { type, data } of entries) {
    if (type !== 'EFFECT_REQUESTED') continue;
    const { stage, iteration, input, runtimeId, runtimeSource } = data.request;
    const { stageWork } = effectKind(data.kind);
    if (stageWork === 'preparation')
      prepared.set(stage, {
        key: stageKey(stage as Stage, Number(iteration)),
        options: modelOptionsIn(isObject(input) ? (input as JsonObject) : { ...before }),
      });
    const known = stageWork === 'run' && prepared.get(stage);
    if (known) stages[known.key] = { ...known.options, runtimeId, runtimeSource } as unknown as SharedStage;
  }
  return stages;
}

const modelOptionsIn = ({ model, thinkingValue }: JsonObject): JsonObject => ({
  ...(model !== undefined && { model }),
  ...(thinkingValue !== undefined && { thinkingValue }),
});
