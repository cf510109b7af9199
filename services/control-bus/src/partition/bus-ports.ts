import {
  Appender,
  Blobs,
  type Bus,
  ClaimRevocations,
  Controls,
  consumeInbox,
  EventPublisher,
  HeldMessages,
  inline,
  lastMessageOn,
  OrderedPublisher,
  openBucket,
  Quarantine,
  ServerClock,
  Timers,
} from '@reins/bus';
import { defined, inboxSubject, type Limits, type ParkedRun, type SessionRecord } from '@reins/contracts';
import { RETRIES, streamJournalStore } from '@reins/journal';
import { blobValues, journalPort, openCheckpoints } from '@reins/journal/bus';
import type { Logger, RuntimeProfileSettings, Settings, StageSettings, Telemetry } from '@reins/service-kit';
import type { ModelChoice, RuntimeProfile } from '../processes/pipeline-inputs.ts';
import { busReconcilerPorts } from '../reconcile/bus-reconciler-ports.ts';
import type { ReconcilerPorts } from '../reconcile/reconciler-ports.ts';
import { busStageQueue } from '../run/lifecycle/bus-stage-queue.ts';
import type { RunDefaults } from '../run/lifecycle/create-run.ts';
import { BusFactPublisher } from '../run/publish/bus-fact-publisher.ts';
import { busPost } from '../run/publish/bus-post.ts';
import type { RunPorts } from '../run/run-ports.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';
import { archiveStreams } from './archive-streams.ts';
import { Checkpoints } from './checkpoints.ts';
import { clockOf } from './clock.ts';
import { inboxTimers } from './inbox-timers.ts';
import { openLiveRuns } from './owned-live-runs.ts';
import { parkedRunsIn } from './parked-runs.ts';
import type { PartitionPorts } from './partition-ports.ts';
import type { ArchivePosition, RunArchiverPorts } from './run-archiver.ts';
import { RunFactReader } from './run-fact-reader.ts';

/** A timer waits in memory for up to this long. After that it is scheduled in the stream. */
const IN_MEMORY_MS = 30_000;

export interface BusPortsOptions
  extends Pick<PartitionPorts, 'onInboxLost'>,
    Pick<RunPorts, 'processOf' | 'authored' | 'stageHosts'> {
  readonly bus: Bus;
  readonly log: Logger;
  readonly settings: Settings;
  readonly telemetry: Telemetry;
  readonly onRepaired: ReconcilerPorts['onRepaired'];
}

/** Opens the ports of partitions over the bus. `close` waits for outstanding writes. */
export async function openBusPorts(
  options: BusPortsOptions,
): Promise<{ readonly ports: PartitionPorts; readonly close: () => Promise<void> }> {
  const { bus, log, settings, telemetry, onInboxLost, onRepaired, ...given } = options;
  const { partitions } = settings.nats;
  const blobs = await Blobs.open(bus);
  const controls = await Controls.open(bus);
  const claims = await ClaimRevocations.open(bus);
  const appender = new Appender(bus, { stream: 'JOURNAL' });
  const facts = new OrderedPublisher(bus);
  const commands = new OrderedPublisher(bus);
  // Deadlines that one replica records are enforced by the next one, so both use the clock that they share.
  const serverClock = await ServerClock.start(bus);
  const clock = clockOf(() => serverClock.now());
  const now = () => clock.now();
  const factEvents = new EventPublisher({ publisher: facts, blobs, source: `reins/${bus.name}`, now });
  const commandEvents = new EventPublisher({ publisher: commands, blobs, source: bus.name, now });
  const port = journalPort(bus, appender, blobs);
  const checkpoints = new Checkpoints({ port, partitions, log, checkpoints: await openCheckpoints(bus) });
  const journal = streamJournalStore(port, { partitions, checkpoints: checkpoints.store });
  const packs = await Blobs.open(bus, 'archive');
  const sessionBucket = await openBucket<SessionRecord>(bus, 'sessions');
  const runFacts = new RunFactReader(bus, blobs);
  const sessions = new SessionsRepository(sessionBucket, { blobs, events: commandEvents, partitions });
  const run: PartitionPorts['run'] = {
    ...given,
    values: blobValues(blobs),
    post: busPost(commandEvents, partitions),
    factPublisher: new BusFactPublisher(factEvents, { partitions, telemetry }),
    controls,
    claims,
    sessions,
    clock,
    publishedOwner: runFacts.owner,
    publishedEnd: runFacts.end,
    defaults: () => runDefaults(settings),
    cancelGraceMs: settings.limits.cancelGraceMs,
    answerWithinMs: settings.limits.answerWithinMs,
    stageQueue: busStageQueue(bus),
    stageQueueForMs: settings.limits.stageQueueForMs,
  };
  const archive: RunArchiverPorts = {
    streams: archiveStreams(bus, partitions),
    positions: await openBucket<ArchivePosition>(bus, 'positions'),
    packs,
    clock,
    log,
    archiveAfterMs: settings.journal.archiveAfterMs,
    removeCheckpoint: (ended) => checkpoints.store.forget(ended),
    inline: (commit) => inline(blobs, commit),
    onSkipped: (ended) => log.debug({ ...ended }, 'run not archived, its terminal fact is not published'),
  };
  const timers = new Timers(bus, { publisher: commands, inMemoryBelowMs: 0, now: () => clock.now().getTime() });
  const messages = new HeldMessages(bus, commands, partitions);
  const parked = parkedRunsIn(await openBucket<ParkedRun>(bus, 'positions'));
  const ports: PartitionPorts = {
    log,
    clock,
    takeOverInbox: (use) => consumeInbox(bus, use),
    isSubmitInInbox: async (address) => {
      const subject = inboxSubject({ type: 'command.run.submit', ...address }, partitions);
      return (await lastMessageOn(bus, 'INBOX', subject)) !== undefined;
    },
    timers: inboxTimers({ events: commandEvents, timers, partitions, clock }),
    held: (partition) => ({ messages, parked, quarantine: new Quarantine(bus, `held-p${partition}`) }),
    random: Math.random,
    inMemoryMs: IN_MEMORY_MS,
    inline: (body) => inline(blobs, body),
    onInboxLost,
    journalStore: () => journal,
    checkpoints,
    liveRuns: await openLiveRuns(bus, blobs, log),
    archive,
    reconciler: await busReconcilerPorts({ bus, blobs, partitions, sessions, onRepaired }),
    partitions,
    run,
  };
  const close = async (): Promise<void> => {
    serverClock.stop();
    await checkpoints.close();
    await Promise.all([appender.close(), facts.close(), commands.close()]);
  };
  return { ports, close };
}

/** The defaults of new runs, from the settings. */
function runDefaults({ limits, runtimeProfile }: Settings): RunDefaults {
  const service: Limits = {
    startWithinMs: limits.serviceRunForMs,
    runForMs: limits.serviceRunForMs,
    ...RETRIES.service,
  };
  const stage: Limits = {
    startWithinMs: limits.stageStartWithinMs,
    prepareForMs: limits.stagePrepareForMs,
    runForMs: limits.stageRunForMs,
    maxAttempts: limits.stageMaxAttempts,
    onUnknown: limits.stageOnUnknown,
  };
  const memory: Limits = {
    startWithinMs: limits.memoryRunForMs,
    runForMs: limits.memoryRunForMs,
    ...RETRIES.once,
  };
  return {
    profile: {
      default: runtimeProfile.default,
      stages: { ...runtimeProfile.stages },
      ...stageOptionsOf(runtimeProfile),
      workspaceMayUse: [...runtimeProfile.workspaceMayUse],
    },
    limits: { service, stage, memory },
  };
}

/** What the tables of stages say, in the form in which a run records it. */
function stageOptionsOf({ stageSettings }: RuntimeProfileSettings): Pick<RuntimeProfile, 'options'> {
  if (!stageSettings) return {};
  const options = Object.entries(stageSettings).map(([stage, { fallback, ...settings }]) => {
    const { retries, timeoutMs: runForMs, onTimeout } = settings;
    const maxAttempts = retries === undefined ? undefined : retries + 1;
    const fallbacks = fallback?.map(({ runtime, ...model }) => ({ runtime, ...modelChoice(model) }));
    return [stage, { ...modelChoice(settings), ...defined({ runForMs, maxAttempts, onTimeout, fallback: fallbacks }) }];
  });
  return { options: Object.fromEntries(options) };
}

const modelChoice = ({ model, thinking }: Pick<StageSettings, 'model' | 'thinking'>): ModelChoice =>
  defined({ model, thinkingValue: thinking });
