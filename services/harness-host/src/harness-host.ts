import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Blobs,
  type Bus,
  type BusLog,
  Claims,
  Controls,
  EventPublisher,
  KeyedBlobs,
  OrderedPublisher,
  openBucket,
  ServerClock,
} from '@reins/bus';
import { type Problem, ReinsError } from '@reins/contracts';
import {
  adapterSettingsProblems,
  BUILT_IN_ADAPTERS,
  createRegistry,
  type HarnessRegistry,
  offeredRuntimes,
  permittedRuntimes,
  profileRuntimes,
  unknownRuntime,
} from '@reins/harness';
import { harnessEnvironments } from '@reins/harness/environment';
import type { Environment, Settings } from '@reins/service-kit';
import { identityOf } from '@reins/service-kit/folders';
import { HarnessWatch } from '@reins/service-kit/harnesses';
import { NO_TELEMETRY, type Telemetry } from '@reins/service-kit/telemetry';
import { TreeStore } from '@reins/workspace-tree';
import { ModelDoor } from './doors/model/model-door.ts';
import { ProviderPauses } from './doors/model/provider-pauses.ts';
import type { CallLimits } from './doors/model/provider-queue.ts';
import { modelHosts, sharedLimits } from './doors/model/share-of-limit.ts';
import type { Uses } from './doors/model/shared-uses.ts';
import { UsesWriters } from './doors/model/uses-writer.ts';
import { ExecutorPool } from './executor/executor-pool.ts';
import { canSuspend, executorSandbox, serviceSandbox } from './executor/executor-sandbox.ts';
import { CLOSED, HostNetwork } from './executor/host-network.ts';
import { MemoryGuard } from './executor/memory-guard.ts';
import { networkModes } from './executor/network-mode.ts';
import { removeOrphans } from './executor/run-folder.ts';
import { newRunToken, sweepOrphans } from './executor/run-token.ts';
import { Offers } from './offers/offers.ts';
import { HostSecrets } from './secrets/host-secrets.ts';
import { Redactor } from './secrets/redactor.ts';
import { watchRequestEnd } from './services/request-end.ts';
import { RequestPool } from './services/request-pool.ts';
import { RequestServices } from './services/request-services.ts';
import { ServicesHost } from './services/services-host.ts';
import { Slots } from './slots/slots.ts';
import { StageIntake } from './slots/stage-intake.ts';
import { Answers } from './stage/answers.ts';
import type { StagePorts } from './stage/stage-ports.ts';
import { StageWorker } from './stage/stage-worker.ts';

export interface HostOptions {
  readonly bus: Bus;
  readonly settings: Pick<Settings, 'host' | 'harness' | 'providers' | 'model'> & {
    readonly runtimeProfile: Partial<Settings['runtimeProfile']>;
    readonly nats?: Pick<Settings['nats'], 'usersDir'>;
  };
  readonly environment: Environment;
  readonly log: BusLog;
  readonly telemetry?: Telemetry;
  /** Receives every model call that has ended. */
  readonly measureCall?: StagePorts['measureCall'];
  /** Called for a problem that only a restart of the process can fix. */
  readonly shutDownWithError: (problem: Problem) => void;
}

/** How long running stages may take to finish when the host stops, before they are cancelled. */
const GRACE_MS = 8000;
/** How long cancelled stages may take to stop. */
const SHUTDOWN_MS = 10_000;
const HEAP_MB = 512;
/** The slots of a runtime that runs in the host's process. They need few resources. */
const IN_PROCESS_SLOTS = 64;
const RUN_BYTES = 2 * 1024 ** 3;

/** Slots, running stages, held claims, and executor processes that wait (`warm`) or work (`used`). */
export interface HostLoad {
  readonly slots: number;
  readonly stages: number;
  readonly claims: number;
  readonly warm: number;
  readonly used: number;
}

interface HostParts {
  readonly worker: StageWorker;
  readonly offers: Offers;
  readonly intake: StageIntake;
  readonly pool: ExecutorPool;
  readonly requests: RequestPool;
  readonly services: ServicesHost;
  readonly guard: MemoryGuard;
  readonly modelDoor: ModelDoor;
  readonly pauses: ProviderPauses;
  readonly harnesses: HarnessWatch;
  readonly network: HostNetwork;
  readonly publisher: OrderedPublisher;
  readonly slots: Slots;
  readonly clock: ServerClock;
  readonly shutdown: AbortController;
}

/** A harness host: offers runtimes, takes their stages, and runs each in an executor process. Independent of NestJS. */
export class HarnessHost {
  readonly id: string;
  readonly #parts: HostParts;
  #stopping: Promise<void> | undefined;

  private constructor(id: string, parts: HostParts) {
    this.id = id;
    this.#parts = parts;
  }

  /** @throws ReinsError `harness_unknown` when the settings name a runtime that this installation does not have */
  static async start({
    bus,
    settings,
    environment,
    log,
    telemetry = NO_TELEMETRY,
    measureCall = () => undefined,
    shutDownWithError,
  }: HostOptions): Promise<HarnessHost> {
    const registry = createRegistry(BUILT_IN_ADAPTERS);
    checkRuntimes(registry, settings);
    const killed = await sweepOrphans();
    if (killed.length > 0) log.warn({ killed }, 'orphaned processes killed');
    // Runs in the background: the files of a stage may be large.
    void removeOrphans().then((removed) => {
      if (removed.length > 0) log.info({ folders: removed.length }, 'orphaned run folders removed');
    });

    const id = settings.host.id ?? defaultId();
    const { runtimes, slots: slotCount, warm } = settings.host;
    const secrets = new HostSecrets(settings, environment);
    const path = environment.PATH ?? '';
    const owner = await identityOf(process.pid);
    const newProbeToken = (): string => newRunToken(owner);
    const { usersDir } = settings.nats ?? {};
    const sandbox = await executorSandbox({ sandbox: settings.host.sandbox, usersDir }, environment, log);
    const modes = await networkModes(settings.host, sandbox, log);
    const harnesses = await HarnessWatch.start(bus);
    const limitsOf = (provider: string): CallLimits => {
      const limits = (Object.hasOwn(settings.providers, provider) && settings.providers[provider]) || {};
      return sharedLimits(limits, () => modelHosts(harnesses.offers, id), id);
    };
    const modelDoor = await ModelDoor.start(limitsOf, (pause) => pauses.publish(pause));
    const pauses = ProviderPauses.open(bus, id, (pause) => modelDoor.pause(pause));
    const network = await HostNetwork.start({ modes, allow: settings.host.allow, modelDoor, log });
    const environmentOf = harnessEnvironments(settings, {
      keyOf: secrets.keyOf,
      variable: secrets.modelEnvironment,
      path,
      newProbeToken,
      sandbox: sandbox && modes.executors !== 'open' ? { ...sandbox, network: CLOSED } : sandbox,
    });
    const publisher = new OrderedPublisher(bus);
    const blobs = await Blobs.open(bus);
    const needsProcess = runtimes.some((runtimeId) => !registry.get(runtimeId).inProcessWork);
    const services = new ServicesHost({
      ...{ owner, path, secrets, environment },
      sandbox: serviceSandbox(sandbox, await network.ofServices()),
      setups: settings.host,
    });
    const pool = new ExecutorPool({
      warm: needsProcess ? warm : 0,
      owner,
      path,
      heapMb: HEAP_MB,
    });
    const requests = new RequestPool({
      create: () => RequestServices.create(services),
      canKeep: canSuspend(services.sandbox),
      watchEnd: (request, ended) => watchRequestEnd(bus, request, ended),
    });
    const shutdown = new AbortController();
    const slots = new Slots(slotCount);
    for (const runtimeId of runtimes)
      slots.add(runtimeId, registry.get(runtimeId).inProcessWork && Math.max(IN_PROCESS_SLOTS, slotCount));
    const controls = await Controls.open(bus);
    const clock = await ServerClock.start(bus);
    const ports: StagePorts = {
      hostId: id,
      registry,
      pool,
      services,
      requests,
      modelDoor,
      network,
      // Next to the claims: the uses of a budget also show what hosts do now.
      budgetUses: new UsesWriters(await openBucket<Uses>(bus, 'claims')),
      trees: new TreeStore(await KeyedBlobs.open(bus)),
      blobs,
      controls,
      publisher,
      answers: new Answers(new EventPublisher({ publisher, blobs, source: `harness-host/${id}` }), blobs),
      secrets,
      providers: settings.providers,
      environmentOf,
      log,
      slots,
      telemetry,
      measureCall,
      now: () => clock.now(),
      shutdown: shutdown.signal,
    };
    const worker = new StageWorker(ports, await Claims.open(bus, { host: `${id}-${process.pid}` }));
    const intake = await StageIntake.open(bus, runtimes, slots, worker);
    intake.watch(shutDownWithError);
    const offers = await Offers.start(bus, publisher, {
      hostId: id,
      usageOf: (runtimeId) => slots.usageOf(runtimeId),
      sandbox: sandbox?.isolation.backend ?? (settings.host.sandbox === 'off' ? 'off' : 'none'),
      network: modes.executors,
      adapters: runtimes.map((runtimeId) => registry.get(runtimeId)),
      environmentOf,
      redactor: new Redactor(secrets.values),
      onHealth: (runtimeId, healthy) => slots.open(runtimeId, healthy),
    });
    const guard = new MemoryGuard(() => [...pool.used, ...services.processes], { maxBytes: RUN_BYTES });
    return new HarnessHost(id, {
      worker,
      offers,
      intake,
      pool,
      requests,
      services,
      guard,
      modelDoor,
      pauses,
      harnesses,
      network,
      publisher,
      slots,
      clock,
      shutdown,
    });
  }

  /** The current load. */
  get load(): HostLoad {
    const { pool, slots, worker } = this.#parts;
    const stages = slots.running;
    return { slots: stages + slots.free, stages, claims: worker.held, warm: pool.warm, used: pool.used.length };
  }

  /** Why the host is not ready; undefined when at least one runtime is healthy. */
  notReadyReason(): string | undefined {
    const { current } = this.#parts.offers;
    if (current.length === 0 || current.some((offer) => offer.healthy)) return undefined;
    return current.map(({ runtimeId, reason }) => `${runtimeId}: ${reason}`).join('; ');
  }

  /**
   * Stops taking stages and waits for running ones. After the grace period, cancels them and reports their outcome as
   * unknown, so that no stage waits for a stopped host.
   */
  stop(graceMs: number = GRACE_MS): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    const { offers, intake, pool, requests, services, guard, shutdown, ...open } = this.#parts;
    const { modelDoor, network, pauses, harnesses, publisher, clock } = open;
    intake.pause();
    await offers.stop();
    const timer = new AbortController();
    const gracePeriod = sleep(graceMs, undefined, { signal: timer.signal }).then(
      () => shutdown.abort(),
      () => undefined,
    );
    await intake.stop(graceMs + SHUTDOWN_MS);
    timer.abort();
    await gracePeriod;
    guard.stop();
    clock.stop();
    await Promise.all([pool.close(), requests.close(), services.close()]);
    await Promise.all([modelDoor.close(), network.close()]);
    pauses.close();
    harnesses.stop();
    await publisher.close();
  }
}

/** @throws ReinsError `harness_unknown` and `settings_invalid`, one problem for each setting */
function checkRuntimes(registry: HarnessRegistry, settings: HostOptions['settings']): void {
  const named = [...offeredRuntimes(settings), ...profileRuntimes(settings), ...permittedRuntimes(settings)];
  const unknown = named.filter(({ runtimeId }) => !registry.has(runtimeId));
  const problems = [
    ...unknown.map((item) => unknownRuntime(item, registry.runtimeIds)),
    ...adapterSettingsProblems(registry, settings.harness),
  ];
  if (problems.length > 0) throw new ReinsError(problems);
}

/** The default host id, a token from the machine name and the process id. */
function defaultId(): string {
  return `${hostname()
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, 40)}-${process.pid}`;
}
