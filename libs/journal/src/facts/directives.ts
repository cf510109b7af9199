import { defined, type EventOf, type JsonObject, type ReplacedRuntime, type Stage } from '@reins/contracts';
import { isStalled } from '../effects/stage-failures.ts';
import type { EffectState, RunState } from '../state/run-state.ts';
import { rootRequestId } from './parent-field.ts';

type DirectiveName = EventOf<'control.directive.emitted'>['directive'];

export interface Directive {
  readonly type: 'control.directive.emitted';
  readonly fields: JsonObject;
}

/** Only these two directives end their target. */
const TERMINAL: ReadonlySet<DirectiveName> = new Set(['cancel', 'converge']);

/** Why work is requested again; `continue` after a suspension. */
export type RequestedAgain = 'retry' | 'unstuck' | 'continue';

/** The directive that starts the first run of a stage. */
const FIRST: Record<Stage, DirectiveName> = {
  interview: 'continue',
  execute: 'continue',
  evaluate: 'evaluate',
  reflect: 'evolve',
};

/**
 * The directive that starts a stage run: it depends on the stage the first time, and is `retry` when the stage starts
 * again.
 */
export function stageDirective(state: RunState, effect: EffectState, again?: RequestedAgain): Directive {
  const stage = effect.request.stage as Stage;
  const repeated = (state.stageRequests[stage] ?? 1) > 1;
  const { runtimeId, runtimeSource } = effect.request;
  const replaces = effect.request.replaces as ReplacedRuntime | undefined;
  const started = replaces && isStalled(replaces.code) ? 'unstuck' : repeated ? 'retry' : FIRST[stage];
  const directive = again ?? started;
  const reasons = {
    first: replaces
      ? `${runtimeId} takes over stage ${stage}: ${replaces.runtimeId} failed (${replaces.code})`
      : `stage ${stage} starts${repeated ? ' again' : ''}`,
    retry: `attempt ${effect.attempt} of stage ${stage}`,
    unstuck: `attempt ${effect.attempt} of stage ${stage}`,
    continue: `stage ${stage} continues after its question`,
  };
  return emitted('execution_node', effect.effectId, directive, reasons[again ?? 'first'], {
    phase: stage,
    executionId: state.run.runId,
    extra: {
      stage,
      runtime_id: runtimeId,
      runtime_source: runtimeSource,
      effect_id: effect.effectId,
      attempt: effect.attempt,
      ...(replaces && { replaced_runtime_id: replaces.runtimeId }),
      ...parentIds(state),
    },
  });
}

/** The parent of a child run, and the request that both belong to. */
function parentIds({ parent }: RunState): JsonObject {
  if (!parent) return {};
  const root = rootRequestId(parent);
  return { parent_request_id: parent.requestId, ...defined({ root_request_id: root }) };
}

/** A directive for the whole run. */
export function runDirective(
  state: RunState,
  directive: DirectiveName,
  reason: string,
  more: { readonly extra?: JsonObject } = {},
): Directive {
  return emitted('execution', state.run.runId, directive, reason, more);
}

/** The directive that ends the run. */
export function endDirective(state: RunState, end: 'completed' | 'failed' | 'cancelled', reason: string): Directive {
  if (end === 'completed') return runDirective(state, 'converge', reason);
  const extra = end === 'failed' ? { extra: { lifecycle_status: 'failed' } } : {};
  return emitted('execution', state.run.runId, 'cancel', reason, extra);
}

function emitted(
  targetType: string,
  targetId: string,
  directive: DirectiveName,
  reason: string,
  more: JsonObject,
): Directive {
  const isTerminal = TERMINAL.has(directive);
  const fields = {
    schemaVersion: 1,
    targetType,
    targetId,
    directive,
    isTerminal,
    emittedBy: 'control-bus',
    reason: reason.trim() || directive,
  };
  return { type: 'control.directive.emitted', fields: { ...fields, ...more } };
}
