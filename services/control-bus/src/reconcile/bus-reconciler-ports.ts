import {
  type Blobs,
  type Bus,
  inline,
  isOverwritten,
  isPermanent,
  lastMessageOn,
  leaderOf,
  openBucket,
  positionOf,
  readSubject,
  type StoredMessage,
  type StreamPosition,
} from '@reins/bus';
import {
  DIRECTIVES_SUBJECT,
  EVENT_TYPES,
  eventFilter,
  HEADERS,
  isObject,
  parseEventSubject,
  parseJournalSubject,
  parseJson,
  partitionOf,
  type SessionRecord,
} from '@reins/contracts';
import { decodeCommit } from '@reins/journal';
import type { SessionsRepository } from '../sessions/sessions.repository.ts';
import type { FactMark } from './reconcile.ts';
import type {
  JournalCommit,
  ReconciledPosition,
  ReconcilerPorts,
  ReconcilerStreams,
  RunningMember,
  SessionRepair,
  StoredFact,
} from './reconciler-ports.ts';
import { ScanTurns } from './scan-turns.ts';
import { type LoggedFact, SharedFactScan } from './shared-fact-scan.ts';

const INTERVAL_MS = 10_000;
const NANOS_PER_MS = 1_000_000;
/** Records of sessions that are read in one step. */
const SESSIONS_AT_ONCE = 256;
const SESSION_STREAM = 'KV_sessions';
/** The subjects of facts. Other messages of the event log are signals. */
const FACTS = ['runtime.>', `${DIRECTIVES_SUBJECT}.>`] as const;
/** The numbers of parts in the types of facts. One subject for each finds the facts of a run. */
const PARTS = new Set(EVENT_TYPES.filter((type) => type.startsWith('runtime.')).map((type) => type.split('.').length));
const TERMINAL = /^runtime\.request\.(completed|failed|cancelled)$/;

export interface BusReconcilerOptions {
  readonly bus: Bus;
  readonly blobs: Blobs;
  readonly partitions: number;
  readonly sessions: SessionsRepository;
  readonly onRepaired: ReconcilerPorts['onRepaired'];
}

/** Opens the ports of a reconciler over the bus. */
export async function busReconcilerPorts({
  bus,
  blobs,
  partitions,
  sessions,
  onRepaired,
}: BusReconcilerOptions): Promise<Omit<ReconcilerPorts, 'run' | 'clock' | 'log'>> {
  return {
    positions: await openBucket<ReconciledPosition>(bus, 'positions'),
    streams: busStreams(bus, blobs, partitions),
    sessions: sessionRepair(bus, sessions),
    intervalMs: INTERVAL_MS,
    onRepaired,
  };
}

function busStreams(bus: Bus, blobs: Blobs, partitions: number): ReconcilerStreams {
  const turns = new ScanTurns();
  const facts = new SharedFactScan(turns, (after) => factsAfter(bus, partitions, after));
  let connections = 0;
  bus.onState((state) => {
    if (state === 'connected') connections += 1;
  });
  const anchorAt = async (journalSeq: number) => ({
    journal: await placeOf(bus, 'JOURNAL', journalSeq),
    events: await endOf(bus, 'EVENTS'),
  });
  return {
    ends: async () => ({ journal: await endOf(bus, 'JOURNAL'), events: await endOf(bus, 'EVENTS') }),
    anchorAt,
    holds: async ({ journal, events }) =>
      (await holdsPlace(bus, 'JOURNAL', journal)) && (await holdsPlace(bus, 'EVENTS', events)),
    commits: (partition, after) => turns.run(() => commitsAfter(bus, blobs, partition, after)),
    facts: (partition, after, signal) => facts.factsOf(partition, after, signal),
    async *factsOf({ workspaceId, runId }) {
      const types = [...PARTS].map((parts) => `runtime${'.*'.repeat(parts - 1)}`);
      const subjects = [...types, DIRECTIVES_SUBJECT].map((type) => `${type}.${workspaceId}.${runId}`);
      for (const subject of [
        ...subjects,
        eventFilter({ type: 'runtime.stage.requested', workspaceId, requestId: runId }),
      ])
        for await (const message of readSubject(bus, 'EVENTS', subject)) {
          const fact = factOf(message);
          if (fact) yield fact;
        }
    },
    keptMs: async () => {
      const { max_age } = (await bus.jsm.streams.info('EVENTS')).config;
      return max_age === 0 ? Number.POSITIVE_INFINITY : max_age / NANOS_PER_MS;
    },
    connection: () => connections,
  };
}

async function* commitsAfter(bus: Bus, blobs: Blobs, partition: number, after: number): AsyncGenerator<JournalCommit> {
  for await (const message of readSubject(bus, 'JOURNAL', `journal.${partition}.>`, { fromSeq: after + 1 })) {
    const commit = await commitOf(blobs, message);
    if (commit) yield commit;
  }
}

/** The facts of all partitions after a sequence. */
async function* factsAfter(bus: Bus, partitions: number, after: number): AsyncGenerator<LoggedFact> {
  for (const subject of FACTS)
    for await (const message of readSubject(bus, 'EVENTS', subject, { fromSeq: after + 1 })) {
      const fact = factOf(message);
      if (fact) yield { seq: message.seq, partition: partitionOf(fact.run.runId, partitions), fact };
    }
}

async function endOf(bus: Bus, stream: string): Promise<StreamPosition> {
  const { created, state } = await bus.jsm.streams.info(stream);
  const last = await lastMessageOn(bus, stream, '>');
  // A stream whose last message was removed has a higher sequence.
  return last ? positionOf(String(created), last) : { seq: state.last_seq, created: String(created) };
}

async function placeOf(bus: Bus, stream: string, seq: number): Promise<StreamPosition> {
  const created = String((await bus.jsm.streams.info(stream)).created);
  const message = await leaderOf(bus, stream).atOrAfter(seq);
  return message?.seq === seq ? positionOf(created, message) : { seq, created };
}

async function holdsPlace(bus: Bus, stream: string, position: StreamPosition): Promise<boolean> {
  const { created, state } = await bus.jsm.streams.info(stream);
  if (String(created) !== position.created || state.last_seq < position.seq) return false;
  return !(await isOverwritten(leaderOf(bus, stream), position));
}

/** Undefined for a commit that cannot be read: its journal is corrupted, and its owner ends the run. */
async function commitOf(blobs: Blobs, { subject, data }: StoredMessage): Promise<JournalCommit | undefined> {
  const address = parseJournalSubject(subject);
  if (!address) return undefined;
  try {
    const { entries } = decodeCommit(await inline(blobs, data), subject);
    const [first, last] = [entries[0]?.version ?? 0, entries.at(-1)?.version ?? 0];
    const { workspaceId, runId } = address;
    const isStub = entries.length === 1 && entries[0]?.type === 'RUN_ARCHIVED';
    return { run: { workspaceId, runId }, firstVersion: first, lastVersion: last, isStub };
  } catch (error) {
    if (isPermanent(error)) return undefined;
    throw error;
  }
}

/** Undefined for an event that does not follow from a journal. */
function factOf(message: StoredMessage): StoredFact | undefined {
  const address = parseEventSubject(message.subject);
  const version = Number(message.header(HEADERS.version));
  if (!address || !(version > 0)) return undefined;
  const { workspaceId, requestId: runId, type } = address;
  const mark: FactMark = { id: message.header(HEADERS.id) ?? '', version, terminal: TERMINAL.test(type) };
  return { run: { workspaceId, runId }, ...mark };
}

function sessionRepair(bus: Bus, sessions: SessionsRepository): SessionRepair {
  return {
    async running(after) {
      const members: RunningMember[] = [];
      let [next, read] = [after, 0];
      const options = { fromSeq: after + 1, batch: SESSIONS_AT_ONCE };
      for await (const message of readSubject(bus, SESSION_STREAM, '$KV.sessions.>', options)) {
        const member = runningMember(message);
        if (member) members.push(member);
        next = message.seq;
        read += 1;
        if (read === SESSIONS_AT_ONCE) break;
      }
      return { members, next };
    },
    leave: (state) => sessions.leave(state),
    release: (member) => sessions.release(member),
    restart: (member) => sessions.restart(member),
  };
}

/** The running request of a session record; undefined if there is none. */
function runningMember({ subject, data }: StoredMessage): RunningMember | undefined {
  const [, , workspaceId, sessionId] = subject.split('.');
  if (data.length === 0 || workspaceId === undefined || sessionId === undefined) return undefined;
  const record = parseJson(data);
  if (!isObject(record)) return undefined;
  const { running } = record as unknown as SessionRecord;
  if (!running) return undefined;
  return { workspaceId, sessionId, requestId: running.requestId, isRestartable: running.submitRef !== undefined };
}
