import { asCorruptedJournal, CorruptedJournalError, foldRun, hasEnded, type JournalStore } from '@reins/journal';
import type { ReconcilerPorts, RunningMember } from './reconciler-ports.ts';

/**
 * Releases a session whose running request has ended or has no journal. Starts the request again instead if its
 * command is stored in the session record. Call it in the queue of the run, when nothing starts the run.
 * @throws ReinsError of the bus
 */
export async function reconcileSession(
  { sessions, onRepaired, log }: Pick<ReconcilerPorts, 'sessions' | 'onRepaired' | 'log'>,
  journal: Pick<JournalStore, 'load'>,
  { isRestartable, ...member }: RunningMember,
): Promise<void> {
  const run = { workspaceId: member.workspaceId, runId: member.requestId };
  const found = await journal.load(run).catch(asCorruptedJournal);
  // The owner ends a run whose journal is corrupted. Then it leaves its session.
  if (found instanceof CorruptedJournalError) return;
  const { entries } = found;
  if (entries.length > 0) {
    if (!hasEnded(entries.at(-1)?.type ?? '')) return;
    await sessions.leave(foldRun(run, entries));
    onRepaired('session_left', 1);
    log.warn({ ...member }, 'ended request removed from its session');
  } else if (isRestartable) {
    await sessions.restart(member);
    onRepaired('session_restarted', 1);
    log.warn({ ...member }, 'request without a journal started again in its session');
  } else {
    await sessions.release(member);
    onRepaired('session_released', 1);
    log.error({ ...member }, 'session released, its running request has no journal');
  }
}
