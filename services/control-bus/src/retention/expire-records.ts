import type { RequestRecord } from '@reins/contracts';
import type { ExpiryPorts } from './expire-runs.ts';

export interface RecordExpiryPorts
  extends Pick<ExpiryPorts, 'clock' | 'runsMs' | 'neededRuns' | 'journalOf' | 'markExpired' | 'isStopped'> {
  /** The records of requests that were written before this time, oldest first. */
  readonly records: (before: Date) => AsyncIterable<RequestRecord>;
}

/**
 * Expires the records of requests that never got a journal: their commands were lost.
 * @returns the number of records that expired
 */
export async function expireRecords(ports: RecordExpiryPorts): Promise<number> {
  const needed = await ports.neededRuns();
  let expired = 0;
  for await (const record of ports.records(new Date(ports.clock.now().getTime() - ports.runsMs))) {
    if (ports.isStopped()) break;
    const { requestId: runId, workspaceId, sessionId, agentId, acceptedAt, expiredAt } = record;
    if (expiredAt !== undefined || needed.has(runId)) continue;
    if ((await ports.journalOf({ workspaceId, runId })) !== 'none') continue;
    await ports.markExpired({ workspaceId, runId, sessionId, agentId, acceptedAt });
    expired += 1;
  }
  return expired;
}
