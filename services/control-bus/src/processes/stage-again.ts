import { isObject, isStage, type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';
import { chooseRuntime } from './pipeline-inputs.ts';

/**
 * The built-in process that reruns one stage of an earlier request on another runtime. The input
 * {stage, iteration, planRef, input, context} comes from that request's `runtime.prepare.requested`; the stage starts
 * from the revision. It is prepared again, so that the new run has a journal and facts of its own.
 */
export const stageAgain: BuiltInProcess = {
  id: 'stage-again',
  codeHash: hashJson('stage-again/1'),
  async run(context, { inputs, revision }) {
    const { stage, iteration, ...prepareFields } = stageInputOf(inputs.input);
    const chosen = chooseRuntime(stage, inputs);
    const prepared = await context.effect(
      'prepare',
      { stage, iteration, runtimeId: chosen.runtimeId, ...prepareFields, tree: revision },
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

function stageInputOf(value: JsonValue) {
  const { stage, iteration, planRef, input, context = {} } = isObject(value) ? (value as JsonObject) : {};
  const isIteration = typeof iteration === 'number' && Number.isInteger(iteration) && iteration > 0;
  if (!isStage(stage) || !isIteration || !isObject(planRef) || !isObject(input) || !isObject(context)) throw invalid();
  return { stage, iteration, planRef, input, context };
}

const invalid = (): ReinsError =>
  new ReinsError({
    code: 'process_invalid',
    message: 'the process "stage-again" needs the fields of the stage\'s runtime.prepare.requested event',
    path: 'input',
    hint: 'Send "stage", "iteration", "planRef", "input" and "context" of that event as the input.',
  });
