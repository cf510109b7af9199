import type { Bus } from '@reins/bus';
import type { Registry } from 'prom-client';
import type { Logger } from '../logging/logger.ts';
import { METRICS, newGauge, newLabelledGauge } from './metrics.ts';

const EVERY_MS = 10_000;
/** From here on a stream that refuses what does not fit has to be looked after. The alert says the same. */
export const ALARM_RATIO = 0.7;
/** Under which name the limit of the account stands among the streams. */
const ACCOUNT = 'account';

interface StreamLoad {
  readonly stream: string;
  readonly messages: number;
  readonly bytes: number;
  /** Undefined: nothing bounds it. */
  readonly fill: number | undefined;
}

interface ConsumerLoad {
  readonly stream: string;
  readonly consumer: string;
  readonly pending: number;
  readonly unacknowledged: number;
}

/** Asks the leaders of streams and consumers how full and how far behind they are: for metrics, and to say when a stream fills up. */
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

  /** Looks now, and again and again until it is stopped. */
  start(): void {
    void this.#lookAgain();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** @throws what the server says when it cannot be asked */
  async look(): Promise<void> {
    const { jsm } = this.#bus;
    const [account, streams] = await Promise.all([jsm.getAccountInfo(), jsm.streams.list().next()]);
    const own = streams.filter(({ config }) => !BUCKET.test(config.name));
    this.#streams = [
      ...own.map(({ config, state }) => ({
        stream: config.name,
        messages: state.messages,
        bytes: state.bytes,
        // One that drops its oldest is full by design.
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
      if (!config.durable_name) continue; // a reader of the moment
      const consumer = config.durable_name.replace(EPOCH, '');
      found.push({ stream, consumer, pending: num_pending, unacknowledged: num_ack_pending });
    }
    return found;
  }

  #alarm({ stream, fill = 0, bytes, messages }: StreamLoad): void {
    if (fill < ALARM_RATIO) return void this.#alarmed.delete(stream);
    if (this.#alarmed.has(stream)) return;
    this.#alarmed.add(stream);
    const said = { stream, percent: Math.round(fill * 100), bytes, messages };
    this.#log.error(
      said,
      'a stream is filling up: when it is full it refuses what comes, and requests are refused with it',
    );
  }

  async #lookAgain(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#log.debug({ err: error }, 'the leaders cannot be asked');
    }
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#lookAgain(), EVERY_MS).unref();
  }
}

const BUCKET = /^(KV|OBJ)_/;
/** The inbox of a partition has another durable under each of its owners; it is one all the same. */
const EPOCH = /-e\d+$/;

const named = ({ stream }: StreamLoad) => ({ stream });
const of = ({ stream, consumer }: ConsumerLoad) => ({ stream, consumer });

/** The fullest of what has a limit. */
function fillOf(...bounds: readonly (readonly [used: number, limit: number | undefined])[]): number | undefined {
  const ratios = bounds.flatMap(([used, limit = -1]) => (limit > 0 ? [used / limit] : []));
  return ratios.length > 0 ? Math.max(...ratios) : undefined;
}

/** While an inbox changes its owner it has two durables for a moment. */
function merged(loads: readonly ConsumerLoad[]): ConsumerLoad[] {
  const groups = Map.groupBy(loads, ({ stream, consumer }) => `${stream} ${consumer}`);
  return [...groups.values()].map((same) => ({
    ...(same[0] as ConsumerLoad),
    pending: sum(same.map(({ pending }) => pending)),
    unacknowledged: sum(same.map(({ unacknowledged }) => unacknowledged)),
  }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
