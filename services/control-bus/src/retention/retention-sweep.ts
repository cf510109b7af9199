import type { TypedBucket } from '@reins/bus';
import { type BlobSweepPorts, type SweptStore, sweepBlobs } from './blob-sweep.ts';
import { expireRecords, type RecordExpiryPorts } from './expire-records.ts';
import { type ExpiryPorts, type ExpiryResult, expireRuns } from './expire-runs.ts';
import { expireSessions, type SessionExpiryPorts } from './expire-sessions.ts';

/** What the last sweep found and removed. Stored in KV `positions`. */
export interface RetentionRecord {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly runs: ExpiryResult;
  /** Requests without a journal. */
  readonly records: number;
  readonly sessions: number;
  /** By object store. Absent when the last search was too recent. */
  readonly objects?: Readonly<Record<string, SweptStore>>;
}

/** The KV key of the record. */
export const RETENTION_KEY = 'retention';

export interface RetentionSweepPorts extends ExpiryPorts, RecordExpiryPorts, SessionExpiryPorts {
  readonly blobs: BlobSweepPorts;
  /** The names of the swept object stores. */
  readonly stores: readonly string[];
  readonly positions: Pick<TypedBucket<RetentionRecord>, 'put'>;
}

/**
 * One sweep: expires runs, then the sessions that are left without one, then removes unused objects. A sweep that was
 * stopped leaves no record.
 */
export async function retentionSweep(ports: RetentionSweepPorts): Promise<RetentionRecord | undefined> {
  const { clock, isStopped, positions } = ports;
  const startedAt = clock.now().toISOString();
  const runs = await expireRuns(ports);
  const records = await expireRecords(ports);
  const sessions = await expireSessions(ports);
  const swept = await sweepBlobs(ports.blobs);
  if (isStopped()) return undefined;
  const objects = swept && Object.fromEntries(swept.map((store, index) => [ports.stores[index], store]));
  const endedAt = clock.now().toISOString();
  const record = { startedAt, endedAt, runs, records, sessions, ...(objects && { objects }) };
  await positions.put(RETENTION_KEY, record);
  return record;
}
