import type { EventOf } from '@reins/contracts';
import type { EntryDraft, RunState } from '@reins/journal';
import { overdue } from '@reins/replay';
import { approvalExpired, isApproval } from './approvals.ts';
import { cancelAll, cancelNow, failNow } from './cancel.ts';
import { awaitedEffect, type DecisionContext, isAbandoned } from './decision-context.ts';

/** What a deadline that has passed makes of a run. Pure. */
export function timerDue(
  state: RunState,
  { effectId, attempt, timer }: EventOf<'timer.due'>,
  context: DecisionContext,
): EntryDraft[] {
  if (timer === 'grace') return state.cancelRequested ? cancelNow(state) : [];
  if (timer === 'expiry' && effectId === state.run.runId) return operatorTimeout(state);
  const effect = awaitedEffect(state, { effectId, attempt });
  if (!effect) return [];
  if (isAbandoned(state, effect, context)) return cancelAll([effect]);
  if (timer === 'expiry' && isApproval(effect)) return approvalExpired(effect);
  return overdue(effect, timer);
}

/** A run that nobody gave the process that it lacks, or whose process nobody mended. */
function operatorTimeout(state: RunState): EntryDraft[] {
  const { assignBy, processError } = state;
  if (processError) return failNow(state, processError.error);
  if (assignBy === undefined) return [];
  return failNow(state, {
    code: 'process_missing',
    message: `nobody gave the run a process until ${assignBy}`,
    hint: 'submit the request again with its process, or give it one in time: `reins run:assign-process`',
  });
}
