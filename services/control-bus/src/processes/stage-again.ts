import { isObject, isStage, type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';
import { chooseRuntime } from './pipeline-inputs.ts';

/**
 * The built-in process of a request that does one stage of an earlier request again, on the runtime that it names: input {stage, iteration,
 * planRef, input, context}, as `runtime.prepare.requested` told them of that request; the tree is the revision that it starts from. The
 * stage is prepared anew from the same words, so that its journal and its facts are its own.
 */
export const stageAgain: BuiltInProcess = {
  id: 'stage-again',
  codeHash: hashJson('stage-again/1'),
  async run(context, { inputs, revision }) {
    const { stage, iteration, ...told } = again(inputs.input);
    const chosen = chooseRuntime(stage, inputs);
    const prepared = await context.effect(
      'prepare',
      { stage, iteration, runtimeId: chosen.runtimeId, ...told, tree: revision },
      { key: 'prepare', limits: inputs.limits.service },
    );
    const { hostRequestRef, tree = revision } = prepared as { hostRequestRef: JsonObject; tree?: string };
    const ended = await context.effect(
      'stage',
      { stage, ...chosen, hostRequestRef, tree },
      {
        key: 'stage',
        limits: inputs.limits.stage,
      },
    );
    return isObject(ended) ? (ended.output ?? null) : null;
  },
};

function again(value: JsonValue) {
  const { stage, iteration, planRef, input, context = {} } = isObject(value) ? (value as JsonObject) : {};
  const whole = typeof iteration === 'number' && Number.isInteger(iteration) && iteration > 0;
  if (!isStage(stage) || !whole || !isObject(planRef) || !isObject(input) || !isObject(context)) throw invalid();
  return { stage, iteration, planRef, input, context };
}

const invalid = (): ReinsError =>
  new ReinsError({
    code: 'process_invalid',
    message: 'doing a stage again needs what its preparation was asked for',
    path: 'input',
    hint: '{"stage", "iteration", "planRef", "input", "context"} of the event runtime.prepare.requested',
  });
