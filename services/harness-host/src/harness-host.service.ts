import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Bus } from '@reins/bus';
import {
  BUS,
  ENVIRONMENT,
  type Environment,
  Health,
  LOG,
  type Logger,
  METRICS,
  newGauge,
  newLabelledGauge,
  Settings,
  shutDownWithError,
  TELEMETRY,
  type Telemetry,
} from '@reins/service-kit';
import { Registry } from 'prom-client';
import { HarnessHost } from './harness-host.ts';
import { modelMetrics } from './model-metrics.ts';

/** Runs the host in its Nest application: starts with it, and drains before it shuts down. */
@Injectable()
export class HarnessHostService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #host: HarnessHost | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    private readonly settings: Settings,
    private readonly health: Health,
    private readonly metrics: Registry,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { bus, log, settings, environment, telemetry } = this;
    const host = await HarnessHost.start({
      bus,
      log,
      settings,
      environment,
      telemetry,
      measureCall: modelMetrics(this.metrics),
      shutDownWithError: (problem) => shutDownWithError(log, problem),
    });
    this.health.add({ name: 'runtimes', reason: () => host.notReadyReason() });
    this.#host = host;
    this.#measure(host);
  }

  #measure(host: HarnessHost): void {
    const { metrics } = this;
    newGauge(metrics, METRICS.hostSlots, () => host.load.slots);
    newGauge(metrics, METRICS.hostStages, () => host.load.stages);
    newGauge(metrics, METRICS.hostClaims, () => host.load.claims);
    newLabelledGauge(metrics, METRICS.hostExecutors, () => [
      [{ state: 'warm' }, host.load.warm],
      [{ state: 'used' }, host.load.used],
    ]);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#host?.stop();
  }
}
