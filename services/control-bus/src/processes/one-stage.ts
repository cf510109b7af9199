import {
  defined,
  isObject,
  isStage,
  type JsonObject,
  type JsonValue,
  nearest,
  ReinsError,
  STAGES,
  type Stage,
} from '@reins/contracts';
import { hashJson } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';
import { chooseRuntime, type WorkspaceProfile } from './pipeline-inputs.ts';

/**
 * The built-in process that runs one stage; workspace processes start it with `ctx.child('stage', …)`.
 * Input: {stage, input, runtime?, tree?, context?}; `tree` is the tree to start from, by default the revision.
 * Output: {output, tree, verdict?}.
 */
export const oneStage: BuiltInProcess = {
  id: 'stage',
  codeHash: hashJson('stage/1'),
  async run(context, { inputs, revision }) {
    const { stage, input, runtime, tree = revision, context: stageContext } = stageInputOf(inputs.input);
    const { limits, attachments, metadata, model } = inputs;
    const plan = (await context.effect('plan', { revision }, { key: 'plan', limits: limits.service })) as JsonObject;
    const stages = { ...inputs.stages, ...(runtime !== undefined && { [stage]: runtime }) };
    const chosen = chooseRuntime(stage, { ...inputs, stages }, plan.runtimeProfile as WorkspaceProfile | undefined);
    const stageInput = {
      input,
      attachments: attachments.map((blob) => ({ ...blob })),
      metadata,
      ...defined({ model }),
    };
    const { runtimeId } = chosen;
    const prepare: JsonObject = {
      stage,
      runtimeId,
      planRef: plan.planRef,
      iteration: 1,
      input: stageInput,
      context: stageContext,
      tree,
    };
    const prepared = await context.effect('prepare', prepare, { key: 'prepare', limits: limits.service });
    const { hostRequestRef, tree: from = tree } = prepared as { hostRequestRef: JsonObject; tree?: string };
    // Runs that an earlier version started had no budget.
    const budget = isObject(plan.budget) && context.patched('budget') && { ...plan.budget, ...NOTHING_USED };
    const request = { stage, ...chosen, hostRequestRef, tree: from, ...(budget && { budget }) };
    const ended = (await context.effect('stage', request, { key: 'stage', limits: limits.stage })) as JsonObject;
    const { output = null, tree: left = from, verdict } = ended;
    return { output, tree: left, ...defined({ verdict }) };
  },
};

/** What the other stages of the request have used is known to the hosts: this stage is a run of its own. */
const NOTHING_USED = { usedTokens: 0, usedCostUsd: 0 };

interface StageInput {
  readonly stage: Stage;
  readonly input: JsonValue;
  readonly runtime?: string;
  readonly tree?: string;
  readonly context: JsonObject;
}

function stageInputOf(value: JsonValue): StageInput {
  const { stage, input = null, runtime, tree, context = {} } = isObject(value) ? (value as JsonObject) : {};
  const isText = (field: JsonValue | undefined): field is string | undefined =>
    field === undefined || (typeof field === 'string' && field !== '');
  if (!isStage(stage)) throw invalid(`"stage" must be one of ${STAGES.join(', ')}${got(stage)}`, nearestStage(stage));
  if (!isText(runtime)) throw invalid(`"runtime" must be a non-empty string${got(runtime)}`);
  if (!isText(tree)) throw invalid(`"tree" must be a non-empty string${got(tree)}`);
  if (!isObject(context)) throw invalid(`"context" must be an object${got(context)}`);
  return { stage, input, context, ...defined({ runtime, tree }) };
}

const MAX_SHOWN = 60;

const got = (value: JsonValue | undefined): string =>
  value === undefined ? '' : ` (got ${JSON.stringify(value).slice(0, MAX_SHOWN)})`;

function nearestStage(stage: JsonValue | undefined): string | undefined {
  const meant = typeof stage === 'string' ? nearest(stage, STAGES) : undefined;
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

const FORM = 'Send {"stage": "execute", "input": "…", "runtime": "pi", "tree": "<tree id>"} as the input.';

const invalid = (what: string, hint = FORM): ReinsError =>
  new ReinsError({
    code: 'process_invalid',
    message: `the input of the process "stage": ${what}`,
    path: 'input',
    hint,
  });
