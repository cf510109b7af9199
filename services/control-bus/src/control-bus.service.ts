import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Bus, type Lease, PartitionLeases } from '@reins/bus';
import { type JsonObject, problemOf } from '@reins/contracts';
import { probe } from '@reins/sandbox';
import {
  BUS,
  HarnessWatch,
  Health,
  LOG,
  type Logger,
  METRICS,
  newCounter,
  newGauge,
  recordRunningProfile,
  requiredRuntimes,
  Settings,
  StreamMonitor,
  shutDownWithError,
  TELEMETRY,
  type Telemetry,
} from '@reins/service-kit';
import { TreeStore } from '@reins/workspace-tree';
import { type Counter, Registry } from 'prom-client';
import { openBusPorts } from './partition/bus-ports.ts';
import { OwnedPartition } from './partition/owned-partition.ts';
import type { PartitionPorts } from './partition/partition-ports.ts';
import { processOf } from './processes/registry.ts';
import { WorkspaceProcesses } from './processes/workspace-processes.ts';
import type { RepairKind } from './reconcile/reconciler-ports.ts';
import type { RetentionRecord } from './retention/retention-sweep.ts';
import { type RetentionSweeper, SWEEPING_PARTITION } from './retention/retention-sweeper.ts';
import { startRetention } from './retention/start-retention.ts';

/** Owns partitions by lease and processes their runs. */
@Injectable()
export class ControlBusService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #partitions = new Map<number, OwnedPartition>();
  #watch: StreamMonitor | undefined;
  #leases: PartitionLeases | undefined;
  #retention: RetentionSweeper | undefined;
  #expired: Counter | undefined;
  #close: (() => Promise<void>) | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    private readonly settings: Settings,
    private readonly health: Health,
    private readonly metrics: Registry,
    private readonly harnesses: HarnessWatch,
    private readonly trees: TreeStore,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.#requireRuntimes();
    this.#expired = newCounter(this.metrics, METRICS.expired);
    await this.#recordProfile();
    const ports = await this.#openPorts();
    this.#leases = new PartitionLeases(this.bus, {
      replica: this.bus.name,
      partitions: this.settings.nats.partitions,
      about: await this.#aboutHost(),
      callbacks: {
        won: (lease) => this.#won(ports, lease),
        handover: (lease) => this.#handedOver(lease),
        lost: (lease) => this.#lost(lease),
      },
    });
    this.#countRuns();
    this.#watch = new StreamMonitor(this.bus, this.log, this.metrics);
    this.#watch.start();
    await this.#leases.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#leases?.stop();
    clearTimeout(this.#grace);
    this.#watch?.stop();
    await this.#close?.();
  }

  /** The service is not ready before every runtime of the profile is available. After the grace period it exits. */
  #requireRuntimes(): void {
    const { harnesses } = this;
    const { runtimeProfile, limits } = this.settings;
    const unavailableReason = () =>
      harnesses.unavailableReason(requiredRuntimes(runtimeProfile, (id) => harnesses.wasOffered(id)));
    this.health.add({ name: 'runtimes', reason: unavailableReason });
    this.#grace = setTimeout(() => {
      const reason = unavailableReason();
      if (reason === undefined) return;
      shutDownWithError(this.log, {
        code: 'runtime_missing',
        message: `the runtime profile names an unavailable runtime: ${reason}`,
        path: 'runtime_profile',
        hint:
          'Fix what the reason names, or map the stages of the runtime to another one in runtime_profile. ' +
          'Check with `reins doctor`.',
      });
    }, limits.runtimeGraceMs).unref();
  }

  /** A full store must not prevent the start: work that is taken may be what empties it. */
  async #recordProfile(): Promise<void> {
    await recordRunningProfile(this.bus, this.settings.runtimeProfile).catch((error: unknown) => {
      this.log.warn({ problem: problemOf(error) }, 'runtime profile not recorded');
    });
  }

  async #won(ports: PartitionPorts, lease: Lease): Promise<void> {
    const partition = new OwnedPartition(ports, lease);
    this.#partitions.set(lease.partition, partition);
    await partition.start(this.#leases as PartitionLeases);
    if (lease.partition === SWEEPING_PARTITION) this.#retention = await this.#startRetention(ports, lease);
    this.log.debug({ partition: lease.partition, epoch: lease.epoch, runs: partition.runs }, 'partition started');
  }

  #startRetention({ clock }: PartitionPorts, lease: Lease): Promise<RetentionSweeper> {
    const { bus, settings, log } = this;
    const onSwept = ({ runs, sessions, records, objects = {} }: RetentionRecord): void => {
      this.#expired?.inc({ kind: 'run' }, runs.expired);
      this.#expired?.inc({ kind: 'session' }, sessions);
      this.#expired?.inc({ kind: 'request' }, records);
      for (const [store, { removed }] of Object.entries(objects)) this.#expired?.inc({ kind: store }, removed);
    };
    return startRetention({ bus, settings, log, clock, onSwept }, lease);
  }

  async #handedOver({ partition }: Lease): Promise<void> {
    const released = this.#partitions.get(partition);
    if (partition === SWEEPING_PARTITION) await this.#retention?.stop();
    await released?.stop();
    // The lease may have been lost and won again meanwhile.
    if (this.#partitions.get(partition) === released) this.#partitions.delete(partition);
  }

  #lost({ partition, epoch }: Lease): void {
    this.#partitions.get(partition)?.drop();
    this.#partitions.delete(partition);
    this.log.warn({ partition, epoch }, 'partition lost');
  }

  /** Handles a lost inbox. If the lease is lost, too, a newer owner has taken over. Otherwise the service exits. */
  async #onInboxLost(lease: Lease, reason: string): Promise<void> {
    const { partition } = lease;
    const ended = this.#partitions.get(partition);
    const isHeld = await this.#leases?.verify(lease).catch(() => true);
    // The lease may have been lost and won again meanwhile.
    if (this.#partitions.get(partition) !== ended) return;
    if (!isHeld) return this.#lost(lease);
    shutDownWithError(this.log, {
      code: 'bus_unavailable',
      message: `the inbox of partition ${partition} ended: ${reason}`,
    });
  }

  async #openPorts(): Promise<PartitionPorts> {
    const { bus, log, settings, telemetry, harnesses: stageHosts } = this;
    const onInboxLost = (lease: Lease, reason: string) => void this.#onInboxLost(lease, reason);
    const authored = new WorkspaceProcesses(this.trees, {
      console: (line) => log.debug({ line }, 'process wrote to its console'),
      sandbox: settings.processes.sandbox,
    });
    const repairs = newCounter(this.metrics, METRICS.repairs);
    const onRepaired = (kind: RepairKind, count: number) => void repairs.inc({ kind }, count);
    const given = { bus, log, settings, telemetry, onRepaired };
    const { ports, close } = await openBusPorts({ ...given, processOf, authored, onInboxLost, stageHosts });
    this.#close = async () => {
      await authored.close();
      await close();
    };
    return ports;
  }

  /** What `reins doctor` shows of this host. */
  async #aboutHost(): Promise<JsonObject> {
    const { backend, lacks } = await probe();
    const rule = this.settings.processes.sandbox;
    this.log[lacks.length === 0 ? 'info' : 'warn']({ backend, lacks, rule }, 'sandbox probed');
    return { host: hostname(), sandbox: { backend, lacks: lacks.map((lack) => ({ ...lack })), rule } };
  }

  #countRuns(): void {
    const runs = () => [...this.#partitions.values()].reduce((sum, partition) => sum + partition.runs, 0);
    const held = () => this.#partitions.size;
    newGauge(this.metrics, METRICS.liveRuns, runs);
    newGauge(this.metrics, METRICS.partitions, held);
  }
}
