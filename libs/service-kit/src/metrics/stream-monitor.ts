import type { Bus } from '@reins/bus';
import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.ts';
import { METRICS, newGauge, newLabelledGauge } from './metrics.ts';

const INTERVAL_MS = 10_000;
/**
 * Fill ratio above which an alarm is raised for a stream that rejects new messages when full. The Prometheus alert uses
 * the same value.
 */
export const ALARM_RATIO = 0.7;
/** Name of the account among the streams. */
const ACCOUNT = 'account';

interface StreamLoad {
  readonly stream: string;
  readonly messages: number;
  readonly bytes: number;
  /** Used share of the limit; undefined without a limit. */
  readonly fill: number | undefined;
}

interface ConsumerLoad {
  readonly stream: string;
  readonly consumer: string;
  readonly pending: number;
  readonly unacknowledged: number;
}

/**
 * Polls the leaders of streams and consumers for their load, for metrics, and logs an alarm when a stream is almost
 * full.
 */
export class StreamMonitor {
  readonly #bus: Bus;
  readonly #log: Logger;
  readonly #alarmed = new Set<string>();
  #streams: readonly StreamLoad[] = [];
  #consumers: readonly ConsumerLoad[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(bus: Bus, log: Logger, metrics: Registry) {
    this.#bus = bus;
    this.#log = log;
    newLabelledGauge(metrics, METRICS.streamMessages, () => this.#streams.map((each) => [named(each), each.messages]));
    newLabelledGauge(metrics, METRICS.streamBytes, () => this.#streams.map((each) => [named(each), each.bytes]));
    newLabelledGauge(metrics, METRICS.streamFill, () =>
      this.#streams.flatMap((each) => (each.fill === undefined ? [] : [[named(each), each.fill]])),
    );
    newLabelledGauge(metrics, METRICS.consumerPending, () => this.#consumers.map((each) => [of(each), each.pending]));
    newLabelledGauge(metrics, METRICS.consumerUnacknowledged, () =>
      this.#consumers.map((each) => [of(each), each.unacknowledged]),
    );
    newGauge(metrics, METRICS.deadMessages, () => this.#streams.find(({ stream }) => stream === 'DEAD')?.messages ?? 0);
  }

  /** Polls immediately and then periodically until it is stopped. */
  start(): void {
    void this.#pollPeriodically();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /**
   * Polls once.
   * @throws the error of the server when a request fails
   */
  async poll(): Promise<void> {
    const { jsm } = this.#bus;
    const [account, streams] = await Promise.all([jsm.getAccountInfo(), jsm.streams.list().next()]);
    const own = streams.filter(({ config }) => !BUCKET.test(config.name));
    this.#streams = [
      ...own.map(({ config, state }) => ({
        stream: config.name,
        messages: state.messages,
        bytes: state.bytes,
        // A stream that discards its oldest messages is full by design.
        fill:
          config.discard === 'new'
            ? fillOf([state.bytes, config.max_bytes], [state.messages, config.max_msgs])
            : undefined,
      })),
      {
        stream: ACCOUNT,
        messages: sum(streams.map(({ state }) => state.messages)),
        bytes: account.storage,
        fill: fillOf([account.storage, account.limits.max_storage]),
      },
    ];
    const consumers = await Promise.all(own.map(({ config }) => this.#consumersOf(config.name)));
    this.#consumers = merged(consumers.flat());
    for (const load of this.#streams) this.#alarm(load);
  }

  async #consumersOf(stream: string): Promise<ConsumerLoad[]> {
    const found: ConsumerLoad[] = [];
    for await (const { config, num_pending, num_ack_pending } of this.#bus.jsm.consumers.list(stream)) {
      if (!config.durable_name) continue; // an ephemeral reader
      const consumer = config.durable_name.replace(EPOCH, '');
      found.push({ stream, consumer, pending: num_pending, unacknowledged: num_ack_pending });
    }
    return found;
  }

  #alarm({ stream, fill = 0, bytes, messages }: StreamLoad): void {
    if (fill < ALARM_RATIO) return void this.#alarmed.delete(stream);
    if (this.#alarmed.has(stream)) return;
    this.#alarmed.add(stream);
    const fields = { stream, percent: Math.round(fill * 100), bytes, messages };
    this.#log.error(fields, 'stream is almost full; a full stream rejects new messages and requests');
  }

  async #pollPeriodically(): Promise<void> {
    try {
      await this.poll();
    } catch (error) {
      this.#log.debug({ err: error }, 'stream poll failed');
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#pollPeriodically(), INTERVAL_MS).unref();
  }
}

const BUCKET = /^(KV|OBJ)_/;
/** Each owner of a partition has its own inbox durable; metrics merge them into one consumer. */
const EPOCH = /-e\d+$/;

const named = ({ stream }: StreamLoad) => ({ stream });
const of = ({ stream, consumer }: ConsumerLoad) => ({ stream, consumer });

/** The highest fill ratio among the bounds with a limit. */
function fillOf(...bounds: readonly (readonly [used: number, limit: number | undefined])[]): number | undefined {
  const ratios = bounds.flatMap(([used, limit = -1]) => (limit > 0 ? [used / limit] : []));
  return ratios.length > 0 ? Math.max(...ratios) : undefined;
}

/** Merges loads of one consumer: during a takeover an inbox has two durables. */
function merged(loads: readonly ConsumerLoad[]): ConsumerLoad[] {
  const groups = Map.groupBy(loads, ({ stream, consumer }) => `${stream} ${consumer}`);
  return [...groups.values()].map((same) => ({
    ...(same[0] as ConsumerLoad),
    pending: sum(same.map(({ pending }) => pending)),
    unacknowledged: sum(same.map(({ unacknowledged }) => unacknowledged)),
  }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
