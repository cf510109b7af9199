import { isReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, effectKind, foldRun } from '@reins/journal';
import type { Clock } from '../partition/clock.ts';
import { type JournalState, type KeepReason, type KeepRule, keepReason } from './keep-reason.ts';

/** The stub of an archived run. */
export interface ArchivedRun {
  readonly run: RunAddress;
  /** The sequence of the stub in the journal stream. */
  readonly seq: number;
  readonly archivedAt: Date;
}

/** What stays of an expired run, for a time. */
export interface ExpiredRun extends RunAddress {
  readonly sessionId: string;
  readonly agentId: string;
  readonly acceptedAt: string;
}

export interface ExpiryPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly runsMs: number;
  /** The stubs that were written before this time, oldest first. */
  readonly stubs: (before: Date) => AsyncIterable<ArchivedRun>;
  /** The time of the oldest event in EVENTS. */
  readonly eventsFrom: () => Promise<Date | undefined>;
  /** The ids of the runs that messages, queued requests and dead letters name. */
  readonly neededRuns: () => Promise<ReadonlySet<string>>;
  readonly journalOf: (run: RunAddress) => Promise<JournalState>;
  /** When the stub of a run was written; undefined when there is none. */
  readonly archivedAt: (run: RunAddress) => Promise<Date | undefined>;
  /** Reads an archived run. @throws ReinsError `journal_corrupt`, `blob_not_found`, `blob_corrupt`; those of the bus */
  readonly load: (run: RunAddress) => Promise<readonly Entry[]>;
  /** Stores that the request has expired, in place of its record. */
  readonly markExpired: (run: ExpiredRun) => Promise<void>;
  /** Removes the claims of these effects. */
  readonly removeClaims: (effectIds: readonly string[]) => Promise<void>;
  /** Removes the stub from the journal stream. */
  readonly removeStub: (stub: ArchivedRun) => Promise<void>;
  /** Whether to stop before the next run. */
  readonly isStopped: () => boolean;
}

/** The number of archived runs that expired, and of those that are kept although they are old enough, by reason. */
export interface ExpiryResult {
  readonly expired: number;
  readonly kept: Readonly<Partial<Record<KeepReason, number>>>;
}

/** Runs that expire concurrently. */
const CONCURRENCY = 8;
/** Child runs expire in the pass after their parent. */
const MAX_PASSES = 8;

/**
 * Expires the archived runs that are old enough and that nothing needs: the record of the request says so for a time,
 * and the stub leaves the journal stream last, so that a repeat after a crash finds the run again. The pack, and the
 * blobs that nothing else refers to, are removed by the blob sweep.
 */
export async function expireRuns(ports: ExpiryPorts): Promise<ExpiryResult> {
  let expired = 0;
  for (let pass = 1; ; pass += 1) {
    const result = await expirePass(ports);
    expired += result.expired;
    const hasFreedChildren = result.expired > 0 && (result.kept.parent ?? 0) > 0;
    if (!hasFreedChildren || pass === MAX_PASSES || ports.isStopped()) return { expired, kept: result.kept };
  }
}

async function expirePass(ports: ExpiryPorts): Promise<ExpiryResult> {
  const archivedBefore = new Date(ports.clock.now().getTime() - ports.runsMs);
  const rule = { archivedBefore, eventsFrom: await ports.eventsFrom() };
  const needed = await ports.neededRuns();
  const kept: Partial<Record<KeepReason, number>> = {};
  let expired = 0;
  const one = async (stub: ArchivedRun): Promise<void> => {
    const { entries, reason } = await keepReasonOf(ports, stub, rule, needed);
    if (reason) kept[reason] = (kept[reason] ?? 0) + 1;
    else {
      await expire(ports, stub, entries);
      expired += 1;
    }
  };
  const stubs = ports.stubs(archivedBefore)[Symbol.asyncIterator]();
  const worker = async (): Promise<void> => {
    while (!ports.isStopped()) {
      const next = await stubs.next();
      if (next.done) return;
      await one(next.value);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { expired, kept };
}

/** Why an archived run is kept, and its entries if they were needed to know that. */
export async function keepReasonOf(
  ports: Pick<ExpiryPorts, 'load' | 'journalOf'>,
  { archivedAt, run }: Pick<ArchivedRun, 'run' | 'archivedAt'>,
  rule: KeepRule,
  needed: ReadonlySet<string>,
): Promise<{ readonly reason?: KeepReason | undefined; readonly entries: readonly Entry[] }> {
  const early = keepReason({ archivedAt, isNeeded: needed.has(run.runId), children: [] }, rule);
  if (early) return { reason: early, entries: [] };
  const { entries, ...family } = await familyOf(ports, run);
  return { reason: keepReason({ archivedAt, isNeeded: false, ...family }, rule), entries };
}

/** The entries of an archived run, and the journals of its parent and children. */
async function familyOf(ports: Pick<ExpiryPorts, 'load' | 'journalOf'>, run: RunAddress) {
  const entries = await ports.load(run).catch(unreadable);
  const ids = childrenIn(run, entries);
  const [parentId] = entries.flatMap(({ type, data }) => (type === 'RUN_CREATED' && data.parent ? [data.parent] : []));
  const journalOf = (runId: string) => ports.journalOf({ ...run, runId });
  const children = await Promise.all(ids.map(journalOf));
  return { entries, children, ...(parentId && { parent: await journalOf(parentId.requestId) }) };
}

/** Nothing can be known of a run whose archive is corrupted, nor can anything be read from it: it expires by its age. */
function unreadable(error: unknown): readonly Entry[] {
  if (isReinsError(error) && UNREADABLE.has(error.code)) return [];
  throw error;
}

const UNREADABLE: ReadonlySet<string> = new Set(['journal_corrupt', 'blob_not_found', 'blob_corrupt']);

function childrenIn(run: RunAddress, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  const { effects } = foldRun(run, entries);
  return [...effects.values()].flatMap(({ kind, request }) =>
    effectKind(kind).resolvedBy === 'child' ? [String(request.childRequestId)] : [],
  );
}

async function expire(ports: ExpiryPorts, stub: ArchivedRun, entries: readonly Entry[]): Promise<void> {
  const { run } = stub;
  const created = entries.find((entry): entry is Entry<'RUN_CREATED'> => entry.type === 'RUN_CREATED');
  const { sessionId, agentId } = created?.data ?? { sessionId: run.runId, agentId: 'unknown' };
  const acceptedAt = created?.recordedAt ?? stub.archivedAt.toISOString();
  await ports.markExpired({ ...run, sessionId, agentId, acceptedAt });
  await ports.removeClaims(entries.flatMap(({ type, data }) => (type === 'EFFECT_REQUESTED' ? [data.effectId] : [])));
  await ports.removeStub(stub);
}
