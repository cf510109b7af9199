import { isObject, isStage, type JsonObject, type JsonValue, ReinsError, type Stage } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';
import { chooseRuntime, type WorkspaceProfile } from './pipeline-inputs.ts';

/**
 * The built-in process that is one stage: what processes of workspaces ask for as `ctx.child('stage', …)`. Input {stage, input, runtime?, tree?,
 * context?}; its output is {output, tree, verdict?}. The tree is the one to start from, by default the revision.
 */
export const oneStage: BuiltInProcess = {
  id: 'stage',
  codeHash: hashJson('stage/1'),
  async run(context, { inputs, revision }) {
    const { stage, input, runtime, tree = revision, context: handedOn } = asked(inputs.input);
    const { limits, attachments, metadata, model } = inputs;
    const plan = (await context.effect('plan', { revision }, { key: 'plan', limits: limits.service })) as JsonObject;
    const stages = { ...inputs.stages, ...(runtime !== undefined && { [stage]: runtime }) };
    const chosen = chooseRuntime(stage, { ...inputs, stages }, plan.runtimeProfile as WorkspaceProfile | undefined);
    const words = {
      input,
      attachments: attachments.map((blob) => ({ ...blob })),
      metadata,
      ...(model !== undefined && { model }),
    };
    const { runtimeId } = chosen;
    const prepare: JsonObject = {
      stage,
      runtimeId,
      planRef: plan.planRef,
      iteration: 1,
      input: words,
      context: handedOn,
      tree,
    };
    const prepared = await context.effect('prepare', prepare, { key: 'prepare', limits: limits.service });
    const { hostRequestRef, tree: from = tree } = prepared as { hostRequestRef: JsonObject; tree?: string };
    const request = { stage, ...chosen, hostRequestRef, tree: from };
    const ended = (await context.effect('stage', request, { key: 'stage', limits: limits.stage })) as JsonObject;
    const { output = null, tree: left = from, verdict } = ended;
    return { output, tree: left, ...(verdict !== undefined && { verdict }) };
  },
};

interface Asked {
  readonly stage: Stage;
  readonly input: JsonValue;
  readonly runtime?: string;
  readonly tree?: string;
  readonly context: JsonObject;
}

function asked(value: JsonValue): Asked {
  const { stage, input = null, runtime, tree, context = {} } = isObject(value) ? (value as JsonObject) : {};
  const isText = (field: JsonValue | undefined): field is string | undefined =>
    field === undefined || (typeof field === 'string' && field !== '');
  if (!isStage(stage) || !isText(runtime) || !isText(tree) || !isObject(context)) throw invalid();
  return { stage, input, context, ...(runtime !== undefined && { runtime }), ...(tree !== undefined && { tree }) };
}

const invalid = (): ReinsError =>
  new ReinsError({
    code: 'process_invalid',
    message: 'one stage needs its name, and what is to be done',
    path: 'input',
    hint: '{"stage": "execute", "input": "…", "runtime": "pi", "tree": "<tree id>"}',
  });
