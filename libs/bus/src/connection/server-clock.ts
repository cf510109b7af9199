import { parseJson } from '@reins/contracts';
import type { Bus } from './bus.ts';

/** A comparison of the clocks of this machine and the NATS server. */
export interface ClockComparison {
  /** The time of the server minus the monotonic clock of this process, in milliseconds. */
  readonly serverBase: number;
  /** The time of this machine minus the time of the server, in milliseconds. */
  readonly skewMs: number;
  /** The maximum error of the comparison, in milliseconds. */
  readonly errorMs: number;
}

/** A difference that matters to people: it shows in logs and timestamps. Deadlines do not depend on it. */
export const MAX_SKEW_MS = 2_000;

const SAMPLES = 3;
const COMPARE_EVERY_MS = 60_000;
/** The system clock moved against the monotonic clock by more than this: it was set, or the machine was suspended. */
const JUMP_MS = 1_000;

/**
 * Compares the clock of this machine with the NATS server. The answer with the shortest round trip counts.
 * @throws ReinsError `bus_unavailable`
 */
export async function compareClocks(bus: Bus): Promise<ClockComparison> {
  let best: ClockComparison | undefined;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const comparison = await compareOnce(bus);
    if (!best || comparison.errorMs < best.errorMs) best = comparison;
  }
  return best as ClockComparison;
}

async function compareOnce(bus: Bus): Promise<ClockComparison> {
  const sentAt = performance.now();
  const { data } = await bus.request(`${bus.apiPrefix}.STREAM.INFO.EVENTS`, new Uint8Array());
  const receivedAt = performance.now();
  const localTime = Date.now();
  const errorMs = (receivedAt - sentAt) / 2;
  const serverTime = Date.parse((parseJson(data) as unknown as { ts: string }).ts);
  const serverBase = serverTime - (receivedAt - errorMs);
  return { serverBase, errorMs, skewMs: localTime - (serverBase + receivedAt) };
}

/**
 * The time of the NATS server, which all machines of an installation share. Deadlines that one machine records and
 * another one enforces do not depend on their own clocks. Between comparisons the monotonic clock counts.
 */
export class ServerClock {
  readonly #bus: Bus;
  readonly #timer: NodeJS.Timeout;
  #comparison: ClockComparison;
  /** The system clock minus the monotonic clock, at the last comparison. */
  #systemBase = systemBase();
  #comparing: Promise<void> | undefined;

  private constructor(bus: Bus, comparison: ClockComparison) {
    this.#bus = bus;
    this.#comparison = comparison;
    this.#timer = setInterval(() => this.#compare(), COMPARE_EVERY_MS).unref();
  }

  /** @throws ReinsError `bus_unavailable` */
  static async start(bus: Bus): Promise<ServerClock> {
    return new ServerClock(bus, await compareClocks(bus));
  }

  now(): Date {
    if (Math.abs(systemBase() - this.#systemBase) > JUMP_MS) this.#compare();
    return new Date(this.#comparison.serverBase + performance.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #compare(): void {
    this.#comparing ??= compareClocks(this.#bus)
      .then((comparison) => this.#adopt(comparison))
      .catch((error: unknown) => this.#bus.log.debug({ error: String(error) }, 'clock comparison failed'))
      .finally(() => {
        this.#comparing = undefined;
      });
  }

  /** A difference within the error of both comparisons is noise. */
  #adopt(comparison: ClockComparison): void {
    this.#systemBase = systemBase();
    const { errorMs, serverBase } = this.#comparison;
    if (Math.abs(comparison.serverBase - serverBase) > comparison.errorMs + errorMs) this.#comparison = comparison;
  }
}

const systemBase = (): number => Date.now() - performance.now();
