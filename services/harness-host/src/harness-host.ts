import { setTimeout as sleep } from 'node:timers/promises';
import {
  Blobs,
  Claims,
  Controls,
  EventPublisher,
  KeyedBlobs,
  OrderedPublisher,
  openBucket,
  ServerClock,
} from '@reins/bus';
import { NO_TELEMETRY } from '@reins/service-kit/telemetry';
import { TreeStore } from '@reins/workspace-tree';
import type { Uses } from './doors/model/shared-uses.ts';
import { UsesWriters } from './doors/model/uses-writer.ts';
import {
  checkedRegistry,
  environmentsOf,
  type HostDoors,
  type HostIdentity,
  type HostOptions,
  type HostProcesses,
  identifyHost,
  openDoors,
  openProcesses,
  removeLeftovers,
  slotsOf,
} from './host-parts.ts';
import { Offers } from './offers/offers.ts';
import { Redactor } from './secrets/redactor.ts';
import type { Slots } from './slots/slots.ts';
import { StageIntake } from './slots/stage-intake.ts';
import { Answers } from './stage/answers.ts';
import type { StagePorts } from './stage/stage-ports.ts';
import { StageWorker } from './stage/stage-worker.ts';

export type { HostOptions } from './host-parts.ts';

/** How long running stages may take to finish when the host stops, before they are cancelled. */
const GRACE_MS = 8000;
/** How long cancelled stages may take to stop. */
const SHUTDOWN_MS = 10_000;

/** Slots, running stages, held claims, and executor processes that wait (`warm`) or work (`used`). */
export interface HostLoad {
  readonly slots: number;
  readonly stages: number;
  readonly claims: number;
  readonly warm: number;
  readonly used: number;
}

/** The parts of the bus that the stages of a host use. */
type HostBus = Awaited<ReturnType<typeof openBusParts>>;

interface HostParts {
  readonly doors: HostDoors;
  readonly processes: HostProcesses;
  readonly busParts: HostBus;
  readonly slots: Slots;
  readonly worker: StageWorker;
  readonly intake: StageIntake;
  readonly offers: Offers;
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
  static async start(options: HostOptions): Promise<HarnessHost> {
    const { bus, settings, log, shutDownWithError } = options;
    const registry = checkedRegistry(settings);
    await removeLeftovers(log);
    const identity = await identifyHost(options, registry);
    const doors = await openDoors(options, identity);
    const processes = await openProcesses(options, identity, doors);
    const busParts = await openBusParts(options, identity);
    const slots = slotsOf(options, identity);
    const shutdown = new AbortController();
    const ports = stagePorts(options, identity, { doors, processes, busParts, slots, shutdown });
    const worker = new StageWorker(ports, await Claims.open(bus, { host: `${identity.id}-${process.pid}` }));
    const intake = await StageIntake.open(bus, settings.host.runtimes, slots, worker);
    intake.watch(shutDownWithError);
    const offers = await startOffers(options, identity, ports);
    return new HarnessHost(identity.id, { doors, processes, busParts, slots, worker, intake, offers, shutdown });
  }

  /** The current load. */
  get load(): HostLoad {
    const { processes, slots, worker } = this.#parts;
    const { pool } = processes;
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
    const { offers, intake, processes, doors, busParts, shutdown } = this.#parts;
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
    busParts.clock.stop();
    await processes.close();
    await doors.close();
    await busParts.publisher.close();
  }
}

async function openBusParts({ bus }: HostOptions, { id }: HostIdentity) {
  const publisher = new OrderedPublisher(bus);
  const blobs = await Blobs.open(bus);
  return {
    publisher,
    blobs,
    answers: new Answers(new EventPublisher({ publisher, blobs, source: `harness-host/${id}` }), blobs),
    trees: new TreeStore(await KeyedBlobs.open(bus)),
    controls: await Controls.open(bus),
    // In the bucket of the claims, because budget uses also show what hosts do now.
    budgetUses: new UsesWriters(await openBucket<Uses>(bus, 'claims')),
    clock: await ServerClock.start(bus),
  };
}

function stagePorts(
  options: HostOptions,
  identity: HostIdentity,
  { doors, processes, busParts, slots, shutdown }: Omit<HostParts, 'worker' | 'intake' | 'offers'>,
): StagePorts {
  const { settings, log, telemetry = NO_TELEMETRY, measureCall = () => undefined } = options;
  const { id: hostId, registry, secrets, policies } = identity;
  const { modelDoor, network } = doors;
  const { pool, services, requests } = processes;
  const { clock, ...stored } = busParts;
  return {
    ...{ hostId, registry, secrets, pool, services, requests, modelDoor, network, slots, log, telemetry, measureCall },
    ...stored,
    ...{ policies, policyMode: settings.policy.mode },
    providers: settings.providers,
    environmentOf: environmentsOf(options, identity),
    now: () => clock.now(),
    shutdown: shutdown.signal,
  };
}

function startOffers(
  { bus, settings }: HostOptions,
  { id, registry, secrets, sandbox, modes }: HostIdentity,
  { publisher, slots, environmentOf }: StagePorts,
): Promise<Offers> {
  return Offers.start(bus, publisher, {
    hostId: id,
    usageOf: (runtimeId) => slots.usageOf(runtimeId),
    sandbox: sandbox?.isolation.backend ?? (settings.host.sandbox === 'off' ? 'off' : 'none'),
    network: modes.executors,
    adapters: settings.host.runtimes.map((runtimeId) => registry.get(runtimeId)),
    environmentOf,
    redactor: new Redactor(secrets.values),
    onHealth: (runtimeId, healthy) => slots.setOpen(runtimeId, healthy),
  });
}
