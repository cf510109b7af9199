import type { Lease } from '@reins/bus';
import { type JsonObject, parseJson, ReinsError } from '@reins/contracts';
import {
  type LiveRunsPorts,
  type PartitionPorts,
  type ReconcilerStreams,
  type SessionRepair,
  snapshotKeyOf,
} from '@reins/control-bus/core';
import { type JournalStore, sealEntries } from '@reins/journal';
import type { Mutation } from './machine/replica.ts';

/** Changes what the runs of a replica share. */
const changeRunPorts =
  (change: (ports: PartitionPorts['run'], machine: string) => Partial<PartitionPorts['run']>): Mutation =>
  (ports, { machine }) => ({ ...ports, run: { ...ports.run, ...change(ports.run, machine.name) } });

/** Changes how every replica appends. */
const changeAppend =
  (change: (store: JournalStore, ports: PartitionPorts) => JournalStore['append']): Mutation =>
  (ports) => ({
    ...ports,
    journalStore: (lease) => {
      const store = ports.journalStore(lease);
      return { load: (run) => store.load(run), append: change(store, ports) };
    },
  });

/** Changes how a replica takes the live runs of its partitions over. */
const withLiveRuns = (
  ports: PartitionPorts,
  { claim, find }: { claim: LiveRunsPorts['snapshots']['claim']; find?: LiveRunsPorts['find'] },
): PartitionPorts => {
  const { liveRuns } = ports;
  const snapshots: LiveRunsPorts['snapshots'] = {
    claim,
    put: (lease, snapshot) => liveRuns.snapshots.put(lease, snapshot),
    replace: (lease, snapshot) => liveRuns.snapshots.replace(lease, snapshot),
  };
  return { ...ports, liveRuns: { ...liveRuns, snapshots, ...(find && { find }) } };
};

const leavesEmptySnapshot: Mutation = (ports, { server: { created, journals, snapshots } }) =>
  withLiveRuns(ports, {
    claim: (lease) => {
      const snapshot = { seq: journals.allCommits.length, runs: {} };
      snapshots.put(snapshotKeyOf(lease.partition), { stream: created, epoch: lease.epoch, page: snapshot });
      return ports.liveRuns.snapshots.claim(lease);
    },
  });

const LATE_MS = 30_000;
const CLOCK_SET_AFTER_MS = 20_000;
const CLOCK_SET_AHEAD_MS = 300_000;
const DUPLICATE_WINDOW_MS = 120_000;
const END = /^RUN_(COMPLETED|FAILED|CANCELLED|HALTED)$/;

/** Claims a snapshot that is not stored, so that the owner may append, and looks for its runs late. */
const takesOverLate: Mutation = (ports, { machine }) => {
  const { find, snapshots } = ports.liveRuns;
  const leases = new Map<number, Lease>();
  return withLiveRuns(ports, {
    claim: async (lease) => {
      leases.set(lease.partition, lease);
      return { seq: 0, runs: {} };
    },
    find: async (partition) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      machine.after(LATE_MS, resolve);
      await promise;
      const lease = leases.get(partition);
      return find(partition, lease && (await snapshots.claim(lease)));
    },
  });
};

type Held = ReturnType<PartitionPorts['held']>['messages'];

/** Changes where the messages of every run are held. */
const changeHeld =
  (change: (messages: Held) => Partial<Held>): Mutation =>
  (ports) => ({
    ...ports,
    held: (partition) => {
      const held = ports.held(partition);
      return { ...held, messages: { ...held.messages, ...change(held.messages) } };
    },
  });

const withoutRaisedEpochs = (lease: Lease): Lease => ({
  partition: lease.partition,
  get epoch() {
    return lease.epoch;
  },
  get valid() {
    return lease.valid;
  },
  signal: lease.signal,
  raiseEpoch: async () => {},
});

const SOON_MS = 5;

/** Changes what a reconciler reads of the streams. */
const changeStreams =
  (change: (streams: ReconcilerStreams) => Partial<ReconcilerStreams>): Mutation =>
  ({ reconciler, ...ports }) => ({
    ...ports,
    reconciler: { ...reconciler, streams: { ...reconciler.streams, ...change(reconciler.streams) } },
  });

/** Changes what a reconciler does with sessions. */
const changeSessions =
  (change: Partial<SessionRepair>): Mutation =>
  ({ reconciler, ...ports }) => ({
    ...ports,
    reconciler: { ...reconciler, sessions: { ...reconciler.sessions, ...change } },
  });

/** Planted bugs, each behind a port of the control bus. The simulation has to find every one of them. */
export const MUTANTS: Readonly<Record<string, Mutation>> = {
  /** The trigger is acknowledged before the facts are durable. */
  'publishes facts without waiting': changeRunPorts(({ factPublisher }) => ({
    factPublisher: {
      publish: async (emissions, cause) => void factPublisher.publish(emissions, cause).catch(() => {}),
    },
  })),
  /** A command that arrives before the submit of its run is dead-lettered. */
  'does not wait for submits': (ports) => ({ ...ports, isSubmitInInbox: async () => false }),
  /** A message is acknowledged before it is handled. */
  'acknowledges before handling': (ports) => ({
    ...ports,
    takeOverInbox: (use) =>
      ports.takeOverInbox({
        ...use,
        handler: async (message) => void use.handler(message).catch(() => {}),
      }),
  }),
  /** A message whose handling takes long delays those of all other runs. */
  'handles one message at a time': (ports) => ({
    ...ports,
    takeOverInbox: (use) => {
      let last: Promise<unknown> = Promise.resolve();
      const handler: typeof use.handler = (message) => {
        const handled = last.then(() => use.handler(message));
        last = Promise.resolve(handled).catch(() => {});
        return handled;
      };
      return ports.takeOverInbox({ ...use, handler });
    },
  }),
  /** Appends at the current end of the journal, whatever it is. */
  'appends without compare-and-set': changeAppend(
    (store) => async (run, commit) => store.append(run, commit, (await store.load(run)).position),
  ),
  /** A result is recorded twice. */
  'resolves twice': changeAppend((store) => async (run, commit, expected) => {
    const appended = await store.append(run, commit, expected);
    const result = commit.entries.find(({ type }) => type === 'EFFECT_RESOLVED');
    const last = commit.entries.at(-1);
    if (appended.outcome === 'fenced' || !result || !last) return appended;
    const again = sealEntries(last, [result], last.recordedAt);
    return store.append(run, { entries: again, epoch: commit.epoch }, appended.position);
  }),
  /** The id of a fact depends on the owner that publishes it. */
  'publishes facts under ids of the owner': changeRunPorts(({ factPublisher }, machine) => ({
    factPublisher: {
      publish: (emissions, cause) => {
        const own = emissions.map((emission) => ({ ...emission, id: `${emission.id}.${machine}` }));
        return factPublisher.publish(own, cause);
      },
    },
  })),
  /** The next request of a session never starts. */
  'never releases the session': changeRunPorts(({ sessions }) => ({
    sessions: {
      enter: (command) => sessions.enter(command),
      waiting: (member) => sessions.waiting(member),
      leave: async () => {},
    },
  })),
  /** Deadlines that do not fit in memory are lost. */
  'schedules no timers': (ports) => ({
    ...ports,
    timers: { fire: (timer) => ports.timers.fire(timer), schedule: async () => {}, clear: async () => {} },
  }),
  /** The snapshot for the next owner lists no runs, and their timers were in the memory of the previous owner only. */
  'writes an empty snapshot': (ports, about) => ({
    ...leavesEmptySnapshot(ports, about),
    inMemoryMs: Number.MAX_SAFE_INTEGER,
  }),
  /** Appends before the takeover is done. Crashes after a run ends: its fact is unpublished, and no snapshot has it. */
  'appends before the takeover': (ports, about) => {
    const late = takesOverLate(ports, about);
    return {
      ...late,
      journalStore: (lease) => {
        const store = late.journalStore(lease);
        const append: typeof store.append = async (run, commit, expected) => {
          const appended = await store.append(run, commit, expected);
          const hasNoSnapshot = about.server.snapshots.get(snapshotKeyOf(lease.partition)) === undefined;
          if (hasNoSnapshot && END.test(commit.entries.at(-1)?.type ?? ''))
            about.machine.crash('before its first snapshot');
          return appended;
        };
        return { load: (run) => store.load(run), append };
      },
    };
  },
  /** A takeover fails while its epoch is lower than that of a former owner. */
  'never raises epochs': (ports) => ({
    ...ports,
    takeOverInbox: (use) => ports.takeOverInbox({ ...use, lease: withoutRaisedEpochs(use.lease) }),
  }),
  /** Purges a run before its stub is appended. */
  'purges before the stub is stored': changeAppend((store, { archive }) => async (run, commit, expected) => {
    if (commit.entries.at(-1)?.type === 'RUN_ARCHIVED') await archive.streams.purge(run, expected);
    return store.append(run, commit, expected);
  }),
  /** Purges the stub together with the archived commits. */
  'purges the stub': ({ archive, ...ports }) => ({
    ...ports,
    archive: {
      ...archive,
      streams: { ...archive.streams, purge: (run, before) => archive.streams.purge(run, before + 1) },
    },
  }),
  /** An attempt counts as not started although a host prepares it. */
  'gives up claimed attempts': changeRunPorts(() => ({ claims: { revoke: async () => undefined } })),
  /** An attempt fails while it waits for busy hosts. */
  'gives up queued attempts': changeRunPorts(({ stageHosts }) => ({
    stageHosts: { slotsOf: (id) => stageHosts.slotsOf(id), idleMs: (_, periodMs) => periodMs },
  })),
  /** An attempt fails while there is no host. */
  'treats missing hosts as idle': (ports, about) =>
    changeRunPorts(({ stageHosts }) => ({
      stageHosts: {
        slotsOf: (id) => stageHosts.slotsOf(id),
        idleMs: (id, periodMs) => (about.server.stageHosts.isAway ? periodMs : stageHosts.idleMs(id, periodMs)),
      },
    }))(ports, about),
  /** A stage that waits for busy hosts counts as lost. */
  'treats waiting stages as lost': changeRunPorts(() => ({ stageQueue: { holds: async () => false } })),
  /** An owner uses the clock of its machine, which is set five minutes ahead. */
  'uses the clock of the machine': (ports) => {
    const setAt = ports.clock.now().getTime() + CLOCK_SET_AFTER_MS;
    const now = (): Date => {
      const time = ports.clock.now().getTime();
      return new Date(time < setAt ? time : time + CLOCK_SET_AHEAD_MS);
    };
    const clock = { ...ports.clock, now };
    return { ...ports, clock, run: { ...ports.run, clock } };
  },
  /** The control message that stops one attempt stops the next one, too. */
  'stops later attempts': changeRunPorts(({ controls }) => ({
    controls: {
      send: (effectId, control) => controls.send(effectId, { ...control, attempt: Number.MAX_SAFE_INTEGER }),
      clear: (effectId) => controls.clear(effectId),
    },
  })),
  /** A repeated question of a stage that has continued counts as its next question. */
  'treats repeated questions as new ones': (ports) => {
    const latest = new Map<string, number>();
    return {
      ...ports,
      inline: async (message) => {
        const data = await ports.inline(message);
        const body = parseJson(data) as JsonObject;
        if (!String(body.type).startsWith('runtime.stage.')) return data;
        const resumption = Math.max(Number(body.resumption ?? 0), latest.get(String(body.effectId)) ?? 0);
        latest.set(String(body.effectId), resumption);
        return new TextEncoder().encode(JSON.stringify({ ...body, ...(resumption > 0 && { resumption }) }));
      },
    };
  },
  /** An answer answers the open question, whichever it is for. */
  'ignores which question an answer is for': (ports) => ({
    ...ports,
    inline: async (message) => {
      const data = await ports.inline(message);
      const { questionNumber, ...body } = parseJson(data) as JsonObject;
      if (body.type !== 'command.run.answer' || questionNumber === undefined) return data;
      return new TextEncoder().encode(JSON.stringify(body));
    },
  }),
  /** A timer that fired too early for its owner is dropped as a duplicate when it is set again. */
  'deduplicates schedules': (ports, { machine }) => {
    const seen = new Map<string, number>();
    const { timers } = ports;
    return {
      ...ports,
      timers: {
        fire: (timer) => timers.fire(timer),
        clear: (run) => timers.clear(run),
        schedule: async (timer) => {
          const { body, due, version } = timer;
          const id = [body.requestId, body.effectId, body.timer, body.attempt, due, version].join('.');
          const isRepeated = machine.scheduler.now - (seen.get(id) ?? Number.NEGATIVE_INFINITY) < DUPLICATE_WINDOW_MS;
          seen.set(id, machine.scheduler.now);
          if (!isRepeated) await timers.schedule(timer);
        },
      },
    };
  },
  /** Changed workspace code keeps its old hash. */
  'hides changed code': changeRunPorts(({ authored }) => ({
    ...(authored && {
      authored: {
        named: (revision) => authored.named(revision),
        assertInput: (process, input) => authored.assertInput(process, input),
        runner: async (process) => ({ ...(await authored.runner(process)), codeHash: 'a1' }),
      },
    }),
  })),
  /** Messages that cannot be handled yet stay in the inbox. */
  'keeps early commands in the inbox': changeHeld(() => ({
    add: () => Promise.reject(new ReinsError({ code: 'bus_unavailable', message: 'it is not stored' })),
  })),
  /** A message is acknowledged, and not held. */
  'acknowledges without holding': changeHeld(() => ({ add: async () => {} })),
  /** The next owner does not look for held messages. */
  'forgets held messages in a takeover': changeHeld(() => ({ runs: async () => [] })),
  /** Held messages are removed before they are handled. */
  'removes held messages before they are handled': changeHeld((messages) => ({
    read: async (run) => {
      const found = await messages.read(run);
      await messages.remove(found);
      return found;
    },
  })),
  /** Held messages are handled in the wrong order. */
  'handles the newest held message first': changeHeld((messages) => ({
    read: async (run) => (await messages.read(run)).reverse(),
  })),
  /** A run that keeps failing is tried again at once. */
  'retries without backoff': (ports) => ({
    ...ports,
    clock: { now: () => ports.clock.now(), after: (ms, action) => ports.clock.after(Math.min(ms, SOON_MS), action) },
  }),
  /** The record of a parked run stays when the run continues. */
  'never unparks': (ports) => ({
    ...ports,
    held: (partition) => {
      const held = ports.held(partition);
      return { ...held, parked: { ...held.parked, delete: async () => {} } };
    },
  }),
};

/** Planted bugs that only power failures show. */
export const POWER_MUTANTS: Readonly<Record<string, Mutation>> = {
  /** Facts that a power failure lost stay lost. */
  'does not publish missing facts': changeRunPorts(({ factPublisher }) => ({
    factPublisher: {
      publish: async (emissions, cause, how) => {
        if (!how?.repaired) await factPublisher.publish(emissions, cause, how);
      },
    },
  })),
  /** A run continues although the event log has facts of entries that its journal lost. */
  'ignores facts of lost entries': changeStreams((streams) => ({
    async *facts(partition, after, signal) {
      const versions = new Map<string, number>();
      for await (const { run, lastVersion } of streams.commits(partition, 0)) versions.set(run.runId, lastVersion);
      for await (const fact of streams.facts(partition, after, signal))
        if (fact.version <= (versions.get(fact.run.runId) ?? 0)) yield fact;
    },
  })),
  /** Nothing after a position is compared, although a stream was rolled back. */
  'checks nothing at a takeover': changeStreams(() => ({ async *commits() {}, async *facts() {} })),
  /** A position counts although the streams have other messages there. */
  'trusts positions of lost messages': changeStreams(() => ({ holds: async () => true })),
  /** What the server lost while its clients were away stays lost. */
  'does not notice broken connections': changeStreams(() => ({ connection: () => 0 })),
  /** A session waits for ever for a request that a power failure lost. */
  'does not look at sessions': changeSessions({ running: async (after) => ({ members: [], next: after }) }),
};
