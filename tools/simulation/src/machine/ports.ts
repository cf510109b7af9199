import { EventPublisher, inline, type Lease, type Timers } from '@reins/bus';
import { ReinsError, type RunAddress } from '@reins/contracts';
import {
  BusFactPublisher,
  busPost,
  inboxTimers,
  type PartitionPorts,
  type RunArchiverPorts,
  type RunPorts,
  SessionsRepository,
} from '@reins/control-bus/core';
import {
  type CheckpointStore,
  decodeCommit,
  type JournalStore,
  type StreamPort,
  streamJournalStore,
} from '@reins/journal';
import { blobValues } from '@reins/journal/bus';
import type { Server } from '../server/server.ts';
import { processesOf } from '../world/processes.ts';
import { LIMITS, PARTITIONS, STAGE_QUEUE_FOR_MS } from '../world/settings.ts';
import { archiving, type Sweeps } from './archiving.ts';
import { bucketOf } from './buckets.ts';
import { simulatedCheckpoints } from './checkpoints.ts';
import { simulatedHeld } from './held-messages.ts';
import { SimulatedInbox } from './inbox-reader.ts';
import { simulatedLiveRuns } from './live-runs.ts';
import type { Machine } from './machine.ts';
import { SimulatedPublisher } from './publisher.ts';
import { publishedFacts, simulatedReconciler } from './reconciler.ts';
import { SimulatedProcesses } from './sandbox.ts';

export interface PortsOptions {
  readonly machine: Machine;
  readonly server: Server;
  readonly onInboxLost: PartitionPorts['onInboxLost'];
  readonly sweeps: () => Sweeps;
  /** Whether this seed has power failures. Otherwise no facts are compared. */
  readonly reconciles: boolean;
  /** Draws how long the timers of a machine wait in memory. */
  readonly inMemoryMsOf: (random: Machine['random']) => number;
}

/** Stands in for `openBusPorts` of the control bus, on a machine that may crash at every await. */
export function simulatedPorts({
  machine,
  server,
  onInboxLost,
  sweeps,
  inMemoryMsOf,
  reconciles,
}: PortsOptions): PartitionPorts {
  const { name, random } = machine;
  const publisher = new SimulatedPublisher(machine, server);
  const blobs = {
    put: (bytes: Uint8Array) => machine.send('put blob', () => server.putBlob(bytes)),
    get: (ref: { sha256: string; size: number }) => machine.send('get blob', () => server.getBlob(ref)),
  };
  const clock = { now: () => machine.now(), after: (ms: number, action: () => void) => machine.after(ms, action) };
  const events = new EventPublisher({ publisher, blobs, source: name, now: () => clock.now() });
  const sessions = new SessionsRepository(bucketOf(machine, server.sessions, 'session'), {
    blobs,
    events,
    partitions: PARTITIONS,
  });
  const run: PartitionPorts['run'] = {
    ...publishedFacts(server, (body) => inline(blobs, body)),
    values: blobValues(blobs),
    post: busPost(events, PARTITIONS),
    factPublisher: new BusFactPublisher(events, { partitions: PARTITIONS, telemetry: { span() {} } }),
    controls: {
      send: (effectId, control) => machine.call('send order', () => server.control(effectId, control)),
      clear: (effectId) => machine.call('clear orders', () => void server.controls.delete(effectId)),
    },
    claims: {
      revoke: (effectId, attempt) => machine.call('revoke claim', () => server.claims.revoke(effectId, attempt)),
    },
    sessions,
    clock,
    processOf: processesOf(`v${random.between(1, 2)}`),
    authored: new SimulatedProcesses(machine, `a${random.between(1, 2)}`),
    defaults: () => ({ profile: { default: 'pi', stages: { evaluate: 'openai_chat' } }, limits: LIMITS }),
    cancelGraceMs: 10_000,
    answerWithinMs: 60_000,
    stageHosts: watchHosts(machine, server),
    stageQueue: { holds: ({ runId }) => machine.call('look at the queue', () => server.isStageQueued(runId)) },
    stageQueueForMs: STAGE_QUEUE_FOR_MS,
  };
  const log = { debug: logTo(machine), warn: logTo(machine), error: logTo(machine) } as RunArchiverPorts['log'];
  const packs = {
    put: (bytes: Uint8Array) => machine.send('put pack', () => server.putBlob(bytes)),
    get: (ref: { sha256: string; size: number }) => machine.send('get pack', () => server.getBlob(ref)),
  };
  const checkpoints = simulatedCheckpoints(machine, server, { log, port: portOf(machine, server) });
  return {
    log,
    clock,
    takeOverInbox: (use) => SimulatedInbox.take(machine, server, use),
    isSubmitInInbox: (run) => machine.call('look for submit', () => server.inbox.has('command.run.submit', run)),
    held: simulatedHeld(machine, server),
    random: () => random.fraction(),
    timers: inboxTimers({ events, partitions: PARTITIONS, clock, timers: timersOf(machine, server) }),
    inMemoryMs: inMemoryMsOf(random),
    inline: (body) => inline(blobs, body),
    onInboxLost,
    archive: archiving({
      machine,
      server,
      sweeps,
      log,
      inline: (body) => inline(blobs, body),
      packs,
      removeCheckpoint: (ended) => checkpoints.store.forget(ended),
    }),
    liveRuns: simulatedLiveRuns(machine, server, log),
    checkpoints,
    reconciler: simulatedReconciler(machine, server, { sessions, isUsed: reconciles }),
    partitions: PARTITIONS,
    journalStore: (lease) =>
      unlessUnusable(machine, server, journalOf(portOf(machine, server, lease), checkpoints.store)),
    run,
  };
}

/** A journal store that looks for a checkpoint of every journal with more than one commit. */
const journalOf = (port: StreamPort, checkpoints: CheckpointStore): JournalStore =>
  streamJournalStore(port, { partitions: PARTITIONS, checkpoints, checkpointThreshold: 1 });

/** How long a call that hangs takes until it fails. */
const HANGING_MS = 10_000;

/** A journal store that cannot use some journals for now. */
const unlessUnusable = (machine: Machine, server: Server, journal: JournalStore): JournalStore => {
  const assertUsable = async ({ runId }: RunAddress): Promise<void> => {
    const problem = server.unusableJournals.get(runId);
    if (!problem) return;
    server.failedTries.set(runId, (server.failedTries.get(runId) ?? 0) + 1);
    if (problem === 'hangs') await new Promise<void>((resolve) => machine.after(HANGING_MS, resolve));
    throw new ReinsError({ code: 'journal_newer', message: 'a newer version wrote the journal', path: runId });
  };
  return {
    load: async (run) => {
      await assertUsable(run);
      return journal.load(run);
    },
    append: async (run, commit, expected) => {
      await assertUsable(run);
      return journal.append(run, commit, expected);
    },
  };
};

/** @param lease the lease under which the machine appends */
function portOf(machine: Machine, server: Server, lease?: Lease): StreamPort {
  const { name, random, trace } = machine;
  return {
    append(subject, data, msgId, expected) {
      const sentUnderLease = lease?.valid ?? false;
      return machine.call(`append to ${subject}`, () => {
        const result = server.journals.append(subject, { data, msgId, machine: name, sentUnderLease }, expected);
        trace.line(name, () => {
          const { entries, epoch } = decodeCommit(data);
          const types = entries.map(({ version, type }) => `${version} ${type}`);
          return `appends to ${subject} under epoch ${epoch}: ${types.join(', ')}: ${result.outcome}`;
        });
        return result;
      });
    },
    async read(subject, { fromSeq, atMost } = {}) {
      const all = await machine.call(`read ${subject}`, () => server.journals.read(subject, fromSeq));
      const last = all.at(random.between(0, Math.max(0, all.length - 1)));
      if (!last || !random.chance(machine.faults.inParts)) return all.slice(0, atMost);
      const rest = await machine.call(`read on ${subject}`, () => server.journals.read(subject, last.seq + 1));
      return [...all.filter(({ seq }) => seq <= last.seq), ...rest].slice(0, atMost);
    },
  };
}

/** Stands in for `Timers` of `@reins/bus`. */
function timersOf(machine: Machine, { inbox }: Server): Pick<Timers, 'set' | 'cancel'> {
  return {
    set: ({ data, due, headers, subject, target }) => {
      const message = { subject: target, id: headers.id, data, version: headers.version };
      return machine.call(`schedule ${subject}`, () => inbox.schedule(subject, due.getTime(), message));
    },
    cancel: (subjects) => machine.call(`cancel ${subjects}`, () => inbox.cancel(subjects)),
  };
}

/** Stands in for `HarnessWatch` of `@reins/service-kit`, which starts with its process. */
function watchHosts(machine: Machine, server: Server): RunPorts['stageHosts'] {
  const startedAt = machine.monotonic();
  return {
    idleMs: (_, periodMs) => server.stageHosts.idleMs(Math.min(periodMs, machine.monotonic() - startedAt)),
    slotsOf: () => (server.stageHosts.isAway ? 0 : 1),
  };
}

const logTo =
  ({ name, trace }: Machine) =>
  ({ err, ...options }: { readonly err?: unknown }, text: string): void =>
    trace.line(name, () => `logs: ${text} ${JSON.stringify(options)} ${err instanceof Error ? err.message : ''}`);
