import type { RunAddress } from '@reins/contracts';
import { type ExpiryPorts, keepReasonOf } from './expire-runs.ts';
import type { JournalState, KeepReason } from './keep-reason.ts';

/** Whether a run is kept, and why. */
export interface KeptRun {
  readonly journal: JournalState;
  readonly archivedAt?: string;
  /** The earliest time at which it expires, by its age. */
  readonly expiresAfter?: string;
  /** Absent when the next sweep removes the run. */
  readonly reason?: KeepReason | 'active';
}

/** Explains why a run is kept. */
export async function whyKept(
  ports: Omit<ExpiryPorts, 'markExpired' | 'removeClaims' | 'removeStub'>,
  run: RunAddress,
): Promise<KeptRun> {
  const journal = await ports.journalOf(run);
  if (journal !== 'archived') return { journal, ...(journal === 'open' && { reason: 'active' as const }) };
  const archivedAt = await ports.archivedAt(run);
  if (!archivedAt) return { journal: 'none' };
  const rule = {
    archivedBefore: new Date(ports.clock.now().getTime() - ports.runsMs),
    eventsFrom: await ports.eventsFrom(),
  };
  const { reason } = await keepReasonOf(ports, { run, archivedAt }, rule, await ports.neededRuns());
  const expiresAfter = new Date(archivedAt.getTime() + ports.runsMs).toISOString();
  return { journal, archivedAt: archivedAt.toISOString(), expiresAfter, ...(reason && { reason }) };
}
