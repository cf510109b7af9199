import { type OwnerServices, type RunPorts, snapshotKeyOf } from '@reins/control-bus/core';
import { sealEntries } from '@reins/journal';
import type { Mutation } from './machine/replica.ts';

/** Changes the ports of every run. */
const ofRuns =
  (change: (ports: Omit<RunPorts, 'epoch'>, machine: string) => Partial<RunPorts>): Mutation =>
  (ports, { machine }) => ({
    ...ports,
    runPorts: (...args: Parameters<typeof ports.runPorts>) => {
      const run = ports.runPorts(...args);
      return { ...run, ...change(run, machine.name) };
    },
  });

type Indexes = OwnerServices['liveRunIndexes'];
type About = Parameters<Mutation>[1];

/** Changes the books of every replica. */
const ofLiveRunIndexes =
  (change: (liveRunIndexes: Indexes, about: About) => Partial<Indexes>): Mutation =>
  (ports, about) => {
    const { liveRunIndexes } = ports;
    const unchanged: Indexes = {
      of: (lease) => liveRunIndexes.of(lease),
      takeOver: (lease) => liveRunIndexes.takeOver(lease),
      ready: (lease) => liveRunIndexes.ready(lease),
      save: (lease) => liveRunIndexes.save(lease),
    };
    return { ...ports, liveRunIndexes: { ...unchanged, ...change(liveRunIndexes, about) } };
  };

const leavesEmptySnapshot = ofLiveRunIndexes((liveRunIndexes, { server: { created, journals, snapshots } }) => ({
  takeOver: (lease) => {
    const page = { seq: journals.ever.length, runs: {} };
    snapshots.put(snapshotKeyOf(lease.partition), { stream: created, epoch: lease.epoch, page });
    return liveRunIndexes.takeOver(lease);
  },
}));

const LATE_MS = 30_000;
const END = /^RUN_(COMPLETED|FAILED|CANCELLED|HALTED)$/;

const takesOverLate = ofLiveRunIndexes((liveRunIndexes, { machine }) => ({
  ready: async () => {},
  takeOver: async (lease) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    machine.after(LATE_MS, resolve);
    await promise;
    return liveRunIndexes.takeOver(lease);
  },
}));

/** Bugs that could be in the control bus, each behind a port. The simulation has to find every one of them. */
export const MUTANTS: Readonly<Record<string, Mutation>> = {
  /** The reaction goes on, and its trigger is acknowledged, before the facts are durable. */
  'tells later': ofRuns(({ factPublisher }) => ({
    factPublisher: {
      publish: async (emissions, cause) => void factPublisher.publish(emissions, cause).catch(() => {}),
    },
  })),
  /** A message is acknowledged when it is taken. */
  'acknowledges first': (ports) => ({
    ...ports,
    takeOverInbox: (use) =>
      ports.takeOverInbox({
        ...use,
        handler: async (message) => void use.handler(message).catch(() => {}),
      }),
  }),
  /** Appends wherever the journal ends by now. */
  'appends without compare-and-set': ofRuns(({ journal }) => ({
    journal: {
      load: (run) => journal.load(run),
      append: async (run, commit) => journal.append(run, commit, (await journal.load(run)).position),
    },
  })),
  /** A result is recorded a second time. */
  'resolves twice': ofRuns(({ journal }) => ({
    journal: {
      load: (run) => journal.load(run),
      append: async (run, commit, expected) => {
        const answer = await journal.append(run, commit, expected);
        const result = commit.entries.find(({ type }) => type === 'EFFECT_RESOLVED');
        const last = commit.entries.at(-1);
        if (answer.outcome === 'fenced' || !result || !last) return answer;
        const again = sealEntries(last, [result], last.recordedAt);
        return journal.append(run, { entries: again, epoch: commit.epoch }, answer.position);
      },
    },
  })),
  /** The same fact has another id when another owner tells it. */
  'tells under ids of its own': ofRuns(({ factPublisher }, machine) => ({
    factPublisher: {
      publish: (emissions, cause) => {
        const own = emissions.map((emission) => ({ ...emission, id: `${emission.id}.${machine}` }));
        return factPublisher.publish(own, cause);
      },
    },
  })),
  /** The next request of a session never gets its turn. */
  'never leaves its session': ofRuns(({ sessions }) => ({
    sessions: {
      enter: (command) => sessions.enter(command),
      waiting: (member) => sessions.waiting(member),
      leave: async () => {},
    },
  })),
  /** Deadlines beyond its memory are forgotten. */
  'schedules nothing': (ports) => ({
    ...ports,
    timers: { fire: (timer) => ports.timers.fire(timer), schedule: async () => {}, clear: async () => {} },
  }),
  /** What an owner leaves to the next one names no run, and says that there is none; what they wait for was in its memory alone. */
  'leaves an empty page': (ports, about) => ({
    ...leavesEmptySnapshot(ports, about),
    inMemoryMs: Number.MAX_SAFE_INTEGER,
  }),
  /** It needs long to begin, and dies when it has ended a run: before it has told it, and before there is a page that leads the next owner to it. */
  'appends before it has begun': (ports, about) => ({
    ...takesOverLate(ports, about),
    runPorts: (...args: Parameters<typeof ports.runPorts>) => {
      const run = ports.runPorts(...args);
      const { journal } = run;
      const append: typeof journal.append = async (address, commit, expected) => {
        const answer = await journal.append(address, commit, expected);
        const isPageless = about.server.snapshots.get(snapshotKeyOf(args[0].partition)) === undefined;
        if (isPageless && END.test(commit.entries.at(-1)?.type ?? '')) about.machine.crash('before its first page');
        return answer;
      };
      return { ...run, journal: { load: (address) => journal.load(address), append } };
    },
  }),
  /** A run leaves the stream before anything there says where it is. */
  'removes before its stub stands': ({ archive, ...ports }) => ({
    ...ports,
    archive: {
      ...archive,
      journal: {
        load: archive.journal.load,
        append: async (run, commit, expected) => {
          await archive.streams.purge(run, expected);
          return archive.journal.append(run, commit, expected);
        },
      },
    },
  }),
  /** With what is in the archive goes what says so. */
  'removes the stub, too': ({ archive, ...ports }) => ({
    ...ports,
    archive: {
      ...archive,
      streams: { ...archive.streams, purge: (run, before) => archive.streams.purge(run, before + 1) },
    },
  }),
  /** Nobody learns that the code of a workspace is not what it was. */
  'names no other code': ofRuns(({ authored }) => ({
    ...(authored && {
      authored: {
        named: (revision) => authored.named(revision),
        assertInput: (process, input) => authored.assertInput(process, input),
        runner: async (process) => ({ ...(await authored.runner(process)), codeHash: 'a1' }),
      },
    }),
  })),
};
