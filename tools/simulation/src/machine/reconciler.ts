import type { StreamPosition } from '@reins/bus';
import { type JsonObject, parseEventSubject, parseJournalSubject, parseJson, partitionOf } from '@reins/contracts';
import type { Anchor, PartitionPorts, ReconcilerPorts, SessionsRepository } from '@reins/control-bus/core';
import type { StoredMessage } from '../server/log.ts';
import type { Server } from '../server/server.ts';
import { PARTITIONS } from '../world/settings.ts';
import { bucketOf } from './buckets.ts';
import type { Machine } from './machine.ts';

const INTERVALS_MS = [500, 20_000] as const;
const RARELY_MS = 100_000_000;
const TERMINAL = /^runtime\.request\.(completed|failed|cancelled)$/;

type Ports = PartitionPorts['reconciler'];

export interface ReconcilerOptions {
  readonly sessions: SessionsRepository;
  /** Otherwise nothing is compared, and no random number is drawn. */
  readonly isUsed: boolean;
}

/** Stands in for `busReconcilerPorts` of the control bus. */
export function simulatedReconciler(machine: Machine, server: Server, { sessions, isUsed }: ReconcilerOptions): Ports {
  const ports: Ports = {
    positions: bucketOf(machine, server.reconciled, 'reconciled position'),
    streams: streamsOf(machine, server),
    sessions: {
      running: (after) =>
        machine.call('read sessions', () => {
          const records = [...server.sessions.values].filter(([, { revision }]) => revision > after);
          const members = records.flatMap(([key, { value }]) => {
            const [workspaceId = '', sessionId = ''] = key.split('.');
            const { requestId, submitRef } = value.running ?? {};
            const isRestartable = submitRef !== undefined;
            return requestId === undefined ? [] : [{ workspaceId, sessionId, requestId, isRestartable }];
          });
          return { members, next: Math.max(after, ...records.map(([, { revision }]) => revision)) };
        }),
      leave: (state) => sessions.leave(state),
      release: (member) => sessions.release(member),
      restart: (member) => sessions.restart(member),
    },
    intervalMs: isUsed ? machine.random.between(...INTERVALS_MS) : RARELY_MS,
    onRepaired: () => {},
  };
  return isUsed ? ports : { ...ports, ...NOTHING };
}

const START: Anchor = { journal: { seq: 0 }, events: { seq: 0 } };

/** Compares nothing. */
const NOTHING: Pick<ReconcilerPorts, 'positions' | 'streams' | 'sessions'> = {
  positions: { get: async () => undefined, put: async () => 1 },
  streams: {
    ends: async () => START,
    anchorAt: async () => START,
    holds: async () => true,
    async *commits() {},
    async *facts() {},
    async *factsOf() {},
    keptMs: async () => Number.POSITIVE_INFINITY,
    connection: () => 0,
  },
  sessions: {
    running: async (after) => ({ members: [], next: after }),
    leave: async () => {},
    release: async () => {},
    restart: async () => {},
  },
};

function streamsOf(machine: Machine, server: Server): Ports['streams'] {
  const { events, journals } = server;
  const placeOf = (seq: number, storedAt = 0) => ({ seq, time: new Date(Math.floor(storedAt)).toISOString() });
  const journalPlace = (seq: number) => ({
    ...placeOf(seq, journals.allCommits[seq - 1]?.storedAt),
    ceId: journals.allCommits[seq - 1]?.msgId,
  });
  const eventsPlace = (seq: number) => ({
    ...placeOf(seq, events.messages[seq - 1]?.storedAt),
    ceId: events.messages[seq - 1]?.id,
  });
  const anchorAt = (seq: number): Anchor => ({
    journal: journalPlace(seq),
    events: eventsPlace(events.messages.length),
  });
  return {
    ends: () => machine.call('look at ends', () => anchorAt(journals.allCommits.length)),
    anchorAt: (seq) => machine.call('look at position', () => anchorAt(seq)),
    holds: ({ journal, events: place }) =>
      machine.call(
        'compare position',
        () => isSame(journalPlace(journal.seq), journal) && isSame(eventsPlace(place.seq), place),
      ),
    async *commits(partition, after) {
      for (const { commit, subject } of await machine.call('read journals', () => journals.after(partition, after))) {
        const address = parseJournalSubject(subject);
        const [first, last] = [commit.entries[0]?.version ?? 0, commit.entries.at(-1)?.version ?? 0];
        if (!address) continue;
        const { runId, workspaceId } = address;
        const isStub = commit.entries.length === 1 && commit.entries[0]?.type === 'RUN_ARCHIVED';
        yield { run: { workspaceId, runId }, firstVersion: first, lastVersion: last, isStub };
      }
    },
    async *facts(partition, after) {
      const facts = await machine.call('read facts', () => events.messages.slice(after).flatMap(factIn));
      for (const fact of facts) if (partitionOf(fact.run.runId, PARTITIONS) === partition) yield fact;
    },
    async *factsOf({ runId }) {
      const facts = await machine.call('read facts of a run', () => events.messages.flatMap(factIn));
      for (const fact of facts) if (fact.run.runId === runId) yield fact;
    },
    keptMs: async () => Number.POSITIVE_INFINITY,
    connection: () => server.brokenConnections,
  };
}

/** A message that was lost may be stored again at its old sequence, later. */
const isSame = (found: StreamPosition, expected: StreamPosition): boolean =>
  found.ceId === expected.ceId && found.time === expected.time;

/** The fact in a message; none for a signal. */
function factIn({ id, subject, version }: StoredMessage) {
  const address = parseEventSubject(subject);
  if (!address || version === undefined) return [];
  const run = { workspaceId: address.workspaceId, runId: address.requestId };
  return [{ run, id, version, terminal: TERMINAL.test(address.type) }];
}

/** Stands in for `RunFactReader` of the control bus. */
export function publishedFacts(
  { events }: Server,
  inline: PartitionPorts['inline'],
): Pick<PartitionPorts['run'], 'publishedOwner' | 'publishedEnd'> {
  const last = (runId: string, isWanted: (type: string) => boolean): StoredMessage | undefined =>
    events.messages.findLast(({ subject }) => {
      const address = parseEventSubject(subject);
      return address?.requestId === runId && isWanted(address.type);
    });
  const bodyOf = async (message: StoredMessage | undefined) =>
    message && (parseJson(await inline(message.data)) as JsonObject);
  return {
    publishedOwner: async ({ runId }) => bodyOf(last(runId, (type) => type === 'runtime.request.started')) as never,
    publishedEnd: async ({ runId }) => bodyOf(last(runId, (type) => TERMINAL.test(type))) as never,
  };
}
