import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Bus } from '@reins/bus';
import { type Counter, Registry } from 'prom-client';
import { BUS, LOG } from '../boot/service-context.ts';
import { Health } from '../health/health.ts';
import type { Logger } from '../logging/logger.ts';
import { type MetricDefinition, newCounter } from '../metrics/metrics.ts';
import { LogLoop } from './log-loop.ts';
import { type LogHandler, registrationOf } from './on-log.ts';

/** Reads the streams that the methods of a service handle (`@OnLog`), from the start of the service until its end. */
@Injectable()
export class LogReaders implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #counters = new Map<string, Counter>();
  #running: readonly Promise<void>[] = [];

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    private readonly health: Health,
    private readonly registry: Registry,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Starts without waiting: a service runs while what it reads is unavailable. */
  onApplicationBootstrap(): void {
    const handlers = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    this.#running = handlers.flatMap((each) => this.#loopsOf(each)).map((loop) => loop.run());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort(new Error('the service is stopping'));
    await Promise.all(this.#running);
  }

  #loopsOf(handlers: unknown): LogLoop[] {
    if (typeof handlers !== 'object' || handlers === null) return [];
    const prototype: object = Object.getPrototypeOf(handlers);
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method = Reflect.get(prototype, name) as LogHandler;
      const registration = registrationOf(method);
      if (!registration) return [];
      const { stream, options } = registration;
      const { bus, log } = this;
      const gaps = this.#counter(options.gaps);
      const loop = new LogLoop({
        ...{ bus, log, gaps, stream, handlers, options },
        handle: method.bind(handlers),
        stopping: this.#stopping.signal,
      });
      if (options.requiredForReadiness)
        this.health.add({
          name: stream.toLowerCase(),
          reason: () => (loop.isReading ? undefined : `${stream} is not being read`),
        });
      return [loop];
    });
  }

  /** Handlers of one service share a counter. */
  #counter(definition: MetricDefinition): Counter {
    const counter = this.#counters.get(definition.name) ?? newCounter(this.registry, definition);
    this.#counters.set(definition.name, counter);
    return counter;
  }
}
