import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  Appender,
  Blobs,
  type Bus,
  Controls,
  inline,
  type Lease,
  OrderedPublisher,
  openBucket,
  PartitionLeases,
} from '@reins/bus';
import type { SessionRecord } from '@reins/contracts';
import { type JournalStore, streamJournalStore } from '@reins/journal';
import {
  BUS,
  giveUp,
  HarnessWatch,
  Health,
  LOG,
  type Logger,
  METRICS,
  readGauge,
  Settings,
  StreamWatch,
  TELEMETRY,
  type Telemetry,
} from '@reins/service-kit';
import { Registry } from 'prom-client';
import { inboxTimers } from './partition/inbox-timers.ts';
import { journalPort } from './partition/journal-port.ts';
import { liveRuns } from './partition/live-runs.ts';
import { Partition } from './partition/partition.ts';
import type { PartitionPorts } from './partition/partition-ports.ts';
import { processOf } from './processes/registry.ts';
import { blobValues } from './run/blob-values.ts';
import { busPost } from './run/bus-post.ts';
import { BusTeller } from './run/bus-teller.ts';
import { Fenced } from './run/run-actor.ts';
import { runDefaults } from './run/run-defaults.ts';
import type { RunPorts } from './run/run-ports.ts';
import { SessionsRepository } from './sessions/sessions.repository.ts';

/** Holds partitions by lease, and drives their runs. */
@Injectable()
export class ControlBusService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #partitions = new Map<number, Partition>();
  #harnesses: HarnessWatch | undefined;
  #watch: StreamWatch | undefined;
  #leases: PartitionLeases | undefined;
  #close: (() => Promise<void>) | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(Health) private readonly health: Health,
    @Inject(Registry) private readonly metrics: Registry,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.#watchHarnesses();
    const ports = await this.#openPorts();
    this.#leases = new PartitionLeases(this.bus, {
      replica: this.bus.name,
      partitions: this.settings.nats.partitions,
      handlers: {
        won: (lease) => this.#won(ports, lease),
        handover: (lease) => this.#handedOver(lease),
        lost: (lease) => this.#lost(lease),
      },
    });
    this.#countRuns();
    this.#watch = new StreamWatch(this.bus, this.log, this.metrics);
    this.#watch.start();
    await this.#leases.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#leases?.stop();
    clearTimeout(this.#grace);
    this.#harnesses?.stop();
    this.#watch?.stop();
    await this.#close?.();
  }

  /** Not ready until every runtime that the profile names was seen, and not for ever. */
  async #watchHarnesses(): Promise<void> {
    const harnesses = await HarnessWatch.start(this.bus);
    const { runtimeProfile, limits } = this.settings;
    const whyNot = () => harnesses.whyNot([runtimeProfile.default, ...Object.values(runtimeProfile.stages)]);
    this.#harnesses = harnesses;
    this.health.add({ name: 'runtimes', reason: whyNot });
    this.#grace = setTimeout(() => {
      const reason = whyNot();
      if (reason === undefined) return;
      giveUp(this.log, {
        code: 'runtime_missing',
        message: `the runtime profile cannot be honoured: ${reason}`,
        hint: 'install the runtime or mend its settings (harness.<runtime>), or map its stages to another one in runtime_profile',
      });
    }, limits.runtimeGraceMs).unref();
  }

  async #won(ports: PartitionPorts, lease: Lease): Promise<void> {
    const partition = new Partition(ports, lease);
    this.#partitions.set(lease.partition, partition);
    await partition.start(this.#leases as PartitionLeases);
    this.log.debug({ partition: lease.partition, epoch: lease.epoch, runs: partition.runs }, 'partition taken');
  }

  async #handedOver({ partition }: Lease): Promise<void> {
    await this.#partitions.get(partition)?.stop();
    this.#partitions.delete(partition);
  }

  #lost({ partition, epoch }: Lease): void {
    this.#partitions.get(partition)?.drop();
    this.#partitions.delete(partition);
    this.log.warn({ partition, epoch }, 'partition lost');
  }

  /** A newer owner takes the inbox away, and its lease with it. Where the lease still stands, something else is wrong. */
  async #inboxGone(lease: Lease, reason: string): Promise<void> {
    const { partition } = lease;
    const stands = await this.#leases?.verify(lease).catch(() => true);
    if (!stands) return this.#lost(lease);
    giveUp(this.log, { code: 'bus_unavailable', message: `the inbox of partition ${partition} ended: ${reason}` });
  }

  async #openPorts(): Promise<PartitionPorts> {
    const { bus, log, settings, telemetry } = this;
    const { partitions } = settings.nats;
    const blobs = await Blobs.open(bus);
    const controls = await Controls.open(bus);
    const appender = new Appender(bus, { stream: 'JOURNAL' });
    const facts = new OrderedPublisher(bus);
    const commands = new OrderedPublisher(bus);
    const clock = { now: () => new Date() };
    const journal: JournalStore = streamJournalStore(journalPort(bus, appender, blobs), { partitions });
    const teller = new BusTeller(facts, blobs, { source: `reins/${bus.name}`, partitions, clock, telemetry });
    const sessionBucket = await openBucket<SessionRecord>(bus, 'sessions');
    const sessions = new SessionsRepository(sessionBucket, { bus, blobs, publisher: commands, partitions });
    const shared = {
      journal,
      values: blobValues(blobs),
      post: busPost(commands, blobs, { source: bus.name, partitions, clock }),
      teller,
      controls,
      sessions,
      clock,
      processOf,
      defaults: () => runDefaults(settings),
      cancelGraceMs: settings.limits.cancelGraceMs,
      answerWithinMs: settings.limits.answerWithinMs,
    };
    this.#close = async () => {
      await Promise.all([appender.close(), facts.close(), commands.close()]);
    };
    return {
      bus,
      log,
      clock,
      timers: inboxTimers(bus, commands, partitions),
      liveRuns: (partition) => liveRuns(bus, blobs, partition),
      inline: (body) => inline(blobs, body),
      inboxGone: (lease, reason) => void this.#inboxGone(lease, reason),
      runPorts: (lease, own): RunPorts => ({ ...shared, ...own, epoch: () => epochOf(lease) }),
    };
  }

  #countRuns(): void {
    const runs = () => [...this.#partitions.values()].reduce((sum, partition) => sum + partition.runs, 0);
    const held = () => this.#partitions.size;
    readGauge(this.metrics, METRICS.liveRuns, runs);
    readGauge(this.metrics, METRICS.partitions, held);
  }
}

/** A lease that is no longer sure by our own clock appends nothing. */
function epochOf(lease: Lease): number {
  if (!lease.valid) throw new Fenced(`partition ${lease.partition}`);
  return lease.epoch;
}
