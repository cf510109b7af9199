import type { ErrorInfo, JsonObject, JsonValue } from '@reins/contracts';
import { defined, isReinsError } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import { CancelledError, EffectError, errorInfoOf, isRefused } from '../errors.ts';
import { OPERATOR_GRACE_MS, type ProcessDefinition } from '../process-definition.ts';
import { failedCallOf } from './failed-calls.ts';
import { jsonCopy } from './json-copy.ts';
import { misspeltCallHint } from './misspelt-call.ts';

/** How the process function ended. */
export type Outcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'halted'; readonly reason: string; readonly payload?: JsonObject }
  | { readonly kind: 'continued-as-new'; readonly inputs: JsonValue };

/** `broken`: the process failed with an error of its own, and an operator may fix it. */
export type EndState = 'completed' | 'failed' | 'halted' | 'cancelled' | 'broken';

export interface End {
  readonly state: EndState;
  /** The entries that record the end. */
  readonly drafts: readonly EntryDraft[];
}

/** The end of a process whose run is being cancelled. The control bus records the end of the run. */
export function cancelledEnd(outcome: Outcome): End {
  if (outcome.kind !== 'threw' || outcome.error instanceof CancelledError) return { state: 'cancelled', drafts: [] };
  const message = { ...errorInfoOf(outcome.error) };
  return { state: 'cancelled', drafts: [{ type: 'PROCESS_LOG', data: { label: 'error while cancelled', message } }] };
}

/** The end of a process that was not cancelled. */
export function endOf(
  outcome: Exclude<Outcome, { kind: 'continued-as-new' }>,
  definition: ProcessDefinition,
  now: Date,
): End {
  switch (outcome.kind) {
    case 'returned':
      return returned(outcome.value, definition, now);
    case 'halted':
      return { state: 'halted', drafts: [halted(outcome)] };
    case 'threw':
      return threw(outcome.error, definition, now);
  }
}

function returned(value: unknown, definition: ProcessDefinition, now: Date): End {
  try {
    const output = jsonCopy(value, 'the output');
    const halt = definition.haltOf?.(output);
    if (!halt) return { state: 'completed', drafts: [{ type: 'RUN_COMPLETED', data: { output } }] };
    const warning: EntryDraft = { type: 'PROCESS_LOG', data: { label: 'warning', message: halt.warning } };
    return { state: 'halted', drafts: [warning, halted(halt)] };
  } catch (error) {
    return threw(error, definition, now);
  }
}

function halted({ reason, payload }: { readonly reason: string; readonly payload?: JsonObject }): EntryDraft {
  return { type: 'RUN_HALTED', data: { reason, ...defined({ payload }) } };
}

function threw(error: unknown, definition: ProcessDefinition, now: Date): End {
  const { site, hint } = failedCallOf(error) ?? {};
  const known = { ...defined({ hint }), ...errorInfoOf(error) };
  const info = located(known, definition.framesOf?.(site ?? error) ?? []);
  if (isProcessFault(error, definition)) return { state: 'broken', drafts: [runtimeError(withHint(info), now)] };
  return { state: 'failed', drafts: [{ type: 'RUN_FAILED', data: { error: info } }] };
}

function withHint(error: ErrorInfo): ErrorInfo {
  const hint = error.hint ?? misspeltCallHint(error.message);
  return hint === undefined ? error : { ...error, hint };
}

const PLACE = /([^\s()]+:\d+:\d+)\)?$/;

/** Adds where in the code of the author the error was thrown. An error that has a path keeps it. */
function located(error: ErrorInfo, frames: readonly string[]): ErrorInfo {
  const [first] = frames;
  if (first === undefined) return error;
  const [, place] = PLACE.exec(first) ?? [];
  return {
    ...error,
    ...(error.path === undefined && place !== undefined && { path: place }),
    stack: frames.join('\n'),
  };
}

/** The entry for an error of the process. The run waits for an operator during the grace period. */
export function runtimeError(error: ErrorInfo, now: Date): EntryDraft<'PROCESS_RUNTIME_ERROR'> {
  const expiresAt = new Date(now.getTime() + OPERATOR_GRACE_MS).toISOString();
  return { type: 'PROCESS_RUNTIME_ERROR', data: { error, expiresAt } };
}

/** Errors with a code are answers. Any other error is a bug in the process, which an operator can fix. */
function isProcessFault(error: unknown, { onError }: ProcessDefinition): boolean {
  if (onError !== 'operator' || error instanceof EffectError || error instanceof CancelledError) return false;
  return !isReinsError(error) || isRefused(error.code);
}
