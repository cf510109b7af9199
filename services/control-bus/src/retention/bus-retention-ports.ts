import {
  type Blobs,
  type Bus,
  CLAIM_TTL_MS,
  inline,
  lastMessageOn,
  openBucket,
  readSubject,
  type StoredMessage,
} from '@reins/bus';
import {
  isReinsError,
  journalSubject,
  parseJournalSubject,
  parseJson,
  type RequestRecord,
  type RunAddress,
  type SessionRecord,
} from '@reins/contracts';
import { endOfCommit } from '@reins/journal';
import type { BusJournals } from '@reins/journal/bus';
import type { Clock } from '../partition/clock.ts';
import { busBlobPorts, SWEPT_STORES } from './bus-blob-ports.ts';
import type { ArchivedRun } from './expire-runs.ts';
import type { StoredSession } from './expire-sessions.ts';
import type { JournalState } from './keep-reason.ts';
import type { RetentionRecord, RetentionSweepPorts } from './retention-sweep.ts';

export interface BusRetentionOptions {
  readonly bus: Bus;
  readonly blobs: Blobs;
  readonly journals: BusJournals;
  readonly partitions: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly runsMs: number;
  readonly isStopped: () => boolean;
}

/** The ids of requests in the body of a message: its own, and those that it forks or retries. */
const REQUEST_IDS = /"(?:requestId|retryOf)":"([A-Za-z0-9_-]{1,64})"/g;

/** The ports of a retention sweep over the bus. */
export async function busRetentionPorts(options: BusRetentionOptions): Promise<RetentionSweepPorts> {
  const { bus, journals, partitions, clock, runsMs, isStopped } = options;
  const requests = await openBucket<RequestRecord & { readonly revision: string }>(bus, 'requests');
  const sessions = await openBucket<SessionRecord>(bus, 'sessions');
  const claims = await openBucket<unknown>(bus, 'claims');
  return {
    blobs: await busBlobPorts({ bus, clock, isStopped }),
    stores: SWEPT_STORES,
    positions: await openBucket<RetentionRecord>(bus, 'positions'),
    clock,
    runsMs,
    isStopped,
    stubs: (before) => stubsBefore(bus, before),
    eventsFrom: async () => {
      const { state } = await bus.jsm.streams.info('EVENTS');
      return state.messages === 0 ? undefined : new Date(state.first_ts);
    },
    neededRuns: () => neededRuns(options),
    journalOf: (run) => journalOf(bus, run, partitions),
    archivedAt: async (run) => {
      const last = await lastMessageOn(bus, 'JOURNAL', journalSubject(run, partitions));
      return last && isStub(last) ? last.time : undefined;
    },
    load: async (run) => (await journals.load(run)).entries,
    markExpired: async ({ runId, ...run }) => {
      // Without its revision: the record must not keep a tree that nothing else needs.
      const record = { ...run, requestId: runId, bodyHash: '', revision: '', expiredAt: clock.now().toISOString() };
      await requests.put(`run.${runId}`, record, runsMs);
    },
    markSessionExpired: async ({ key, revision }, record) =>
      (await sessions.update(key, record, revision, runsMs)) !== undefined,
    removeClaims: async (effectIds) => {
      // Otherwise their TTL has removed them.
      if (runsMs < CLAIM_TTL_MS) for (const effectId of effectIds) await claims.delete(effectId);
    },
    removeStub: async ({ run, seq }) => {
      await bus.jsm.streams.purge('JOURNAL', { filter: journalSubject(run, partitions), seq: seq + 1 });
    },
    records: (before) => recordsBefore(bus, before),
    sessions: (before) => sessionsBefore(bus, before),
  };
}

/** The state of a journal, by its last commit. */
export async function journalOf(bus: Bus, run: RunAddress, partitions: number): Promise<JournalState> {
  const last = await lastMessageOn(bus, 'JOURNAL', journalSubject(run, partitions));
  return last ? (isStub(last) ? 'archived' : 'open') : 'none';
}

/** A stub is too small to be stored as a blob. */
const isStub = ({ data }: StoredMessage): boolean => endOfCommit(data)?.type === 'RUN_ARCHIVED';

async function* stubsBefore(bus: Bus, before: Date): AsyncGenerator<ArchivedRun> {
  for await (const message of readSubject(bus, 'JOURNAL', 'journal.>')) {
    if (message.time >= before) return;
    const run = isStub(message) && parseJournalSubject(message.subject);
    if (!run) continue;
    const { workspaceId, runId } = run;
    yield { run: { workspaceId, runId }, seq: message.seq, archivedAt: message.time };
  }
}

async function* recordsBefore(bus: Bus, before: Date): AsyncGenerator<RequestRecord> {
  for await (const { data, time } of readSubject(bus, 'KV_requests', '$KV.requests.run.*')) {
    if (time >= before) return;
    if (data.length > 0) yield parseJson(data) as unknown as RequestRecord;
  }
}

async function* sessionsBefore(bus: Bus, before: Date): AsyncGenerator<StoredSession> {
  for await (const { subject, data, seq, time } of readSubject(bus, 'KV_sessions', '$KV.sessions.>')) {
    if (time >= before) return;
    if (data.length === 0) continue;
    const [, , workspaceId = '', sessionId = ''] = subject.split('.');
    const value = parseJson(data) as unknown as SessionRecord;
    yield { key: `${workspaceId}.${sessionId}`, workspaceId, value, revision: seq };
  }
}

/** The runs that a message in INBOX or DEAD names, or the command of a request that waits in its session. */
async function neededRuns({ bus, blobs }: BusRetentionOptions): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  const addNamed = async (data: Uint8Array): Promise<void> => {
    const body = await inline(blobs, data).catch(emptyIfLost);
    for (const [, id = ''] of new TextDecoder().decode(body).matchAll(REQUEST_IDS)) needed.add(id);
  };
  for (const stream of ['INBOX', 'DEAD'] as const)
    for await (const { subject, data } of readSubject(bus, stream, '>')) {
      for (const token of subject.split('.')) needed.add(token);
      await addNamed(data);
    }
  for await (const { data } of readSubject(bus, 'KV_sessions', '$KV.sessions.>')) {
    if (data.length === 0) continue;
    const { queued = [], running } = parseJson(data) as unknown as SessionRecord;
    for (const { requestId, submitRef } of [...queued, ...(running ? [running] : [])]) {
      needed.add(requestId);
      if (submitRef) await addNamed(await blobs.get(submitRef).catch(emptyIfLost));
    }
  }
  return needed;
}

/** The content of a message that is lost names no run. */
function emptyIfLost(error: unknown): Uint8Array {
  if (isReinsError(error) && (error.code === 'blob_not_found' || error.code === 'blob_corrupt'))
    return new Uint8Array();
  throw error;
}
