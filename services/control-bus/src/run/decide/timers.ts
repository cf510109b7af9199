import type { EventOf } from '@reins/contracts';
import type { EntryDraft, RunState } from '@reins/journal';
import { deadlineEntries } from '@reins/replay';
import { claimedBy } from './answers.ts';
import { approvalExpired, isApproval } from './approvals.ts';
import { cancelAll, cancelNow, failNow } from './cancel.ts';
import { awaitedEffect, type DecisionContext, isAbandoned } from './decision-context.ts';

/** Maps a passed deadline to entries. Pure. */
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
  const { startDeadline } = context;
  if (startDeadline?.outcome === 'claimed') return claimedBy(effect, startDeadline.host);
  if (startDeadline?.outcome === 'queued') return [];
  return deadlineEntries(effect, timer, startDeadline?.waitedMs);
}

/** Fails a run that got no process, or whose process error was not fixed, before the deadline. */
function operatorTimeout(state: RunState): EntryDraft[] {
  const { assignBy, processError } = state;
  if (processError) return failNow(state, processError.error);
  if (assignBy === undefined) return [];
  return failNow(state, {
    code: 'process_missing',
    message: `no process was assigned to the run before ${assignBy}`,
    hint: 'Submit the request again with a process, or assign one in time with `reins run:assign-process`.',
  });
}
