import type { Random } from '@reins/chaos/random';
import { ReinsError } from '@reins/contracts';
import type { FaultRates } from '../faults.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Trace } from '../trace.ts';

const LATENCY_MS = [0.2, 5] as const;
const SLOW_MS = [2_000, 12_000] as const;
const GIVE_UP_MS = [2_000, 30_000] as const;
const FREEZE_MS = [1_000, 15_000] as const;

export interface MachineOptions {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly trace: Trace;
  /** The current rates; zero after the faults have ended. */
  readonly faults: () => FaultRates;
  readonly onCrash: () => void;
}

/** A simulated OS process. All its I/O goes through here, and may fail, be slow, or crash the process. */
export class Machine {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly trace: Trace;
  readonly #options: MachineOptions;
  readonly #skewMs: number;
  /** Deliveries that arrived while it was frozen. */
  #frozen: (() => void)[] | undefined;
  /** How long it was suspended; its monotonic clock stops then. */
  #suspendedMs = 0;
  alive = true;

  constructor(options: MachineOptions) {
    const { name, random, scheduler, trace } = options;
    this.name = name;
    this.random = random;
    this.scheduler = scheduler;
    this.trace = trace;
    this.#options = options;
    const { skewMs } = options.faults();
    this.#skewMs = skewMs === 0 ? 0 : random.between(-skewMs, skewMs);
  }

  get faults(): FaultRates {
    return this.#options.faults();
  }

  /** The machine's own clock, with its skew. */
  now(): Date {
    return new Date(Math.floor(this.scheduler.now + this.#skewMs));
  }

  /** A monotonic clock in milliseconds, which stops while the machine is suspended. */
  monotonic(): number {
    return this.scheduler.now - this.#suspendedMs;
  }

  latency(): number {
    const [least, most] = LATENCY_MS;
    return least + (most - least) * this.random.fraction();
  }

  /** Sets a timer. @returns a function that cancels it */
  after(ms: number, action: () => void): () => void {
    return this.scheduler.after(Math.max(ms, 0.01), () => this.deliver(action));
  }

  /** Runs the action now, after the freeze if it is frozen, or never if it is dead. */
  deliver(action: () => void): boolean {
    if (!this.alive) return false;
    if (this.#frozen) {
      this.#frozen.push(action);
      return false;
    }
    action();
    return true;
  }

  get isFrozen(): boolean {
    return this.#frozen !== undefined;
  }

  /**
   * Calls the server.
   * @throws ReinsError `bus_unavailable` when the outcome is unknown; also the errors of the server
   */
  call<T>(what: string, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.alive) return;
      const { faults, random } = this;
      const isLost = random.chance(faults.lost);
      const isUnanswered = random.chance(faults.unanswered);
      const requestMs = random.chance(faults.slow) ? random.between(...SLOW_MS) : this.latency();
      const responseMs = this.latency();
      if (!this.#maybeDies(what, requestMs + responseMs)) return;
      if (isLost || isUnanswered) {
        const message = `${what}: no response`;
        const giveUp = () => reject(new ReinsError({ code: 'bus_unavailable', message }));
        this.trace.line(this.name, () => `${what} ${isLost ? 'is lost' : 'gets no response'}`);
        this.after(requestMs + random.between(...GIVE_UP_MS), giveUp);
      }
      if (isLost) return;
      // A lost response never arrives.
      this.#roundTrip(act, requestMs, isUnanswered ? Number.POSITIVE_INFINITY : responseMs, resolve, reject);
    });
  }

  /** Like `call`, without losses: the sender simulates them itself. */
  send<T>(what: string, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.alive) return;
      const requestMs = this.random.chance(this.faults.slow) ? this.random.between(...SLOW_MS) : this.latency();
      const responseMs = this.latency();
      if (!this.#maybeDies(what, requestMs + responseMs)) return;
      this.#roundTrip(act, requestMs, responseMs, resolve, reject);
    });
  }

  #roundTrip<T>(
    act: () => T,
    requestMs: number,
    responseMs: number,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.scheduler.after(requestMs, () => {
      const response = outcome(act);
      if (responseMs === Number.POSITIVE_INFINITY) return false;
      const deliver = (): void => ('error' in response ? reject(response.error) : resolve(response.value));
      this.scheduler.after(responseMs, () => this.deliver(deliver));
      return false;
    });
  }

  /** May crash the machine before or during the call. @returns false when it crashed before the call */
  #maybeDies(what: string, ms: number): boolean {
    const { faults, random } = this;
    if (random.chance(faults.freeze)) this.freeze();
    if (!random.chance(faults.crash)) return true;
    const when = random.fraction() < 0.3 ? 0 : random.fraction() * ms * 1.2;
    if (when === 0) this.crash(`before ${what}`);
    else this.scheduler.after(when, () => this.crash(`around ${what}`));
    return when > 0;
  }

  /** Kills the machine. Its memory is lost. */
  crash(where: string): boolean {
    if (!this.alive) return false;
    this.trace.line(this.name, () => `crashes ${where}`);
    this.alive = false;
    this.#options.onCrash();
    return false;
  }

  /** Freezes the machine for longer than its leases last. It then continues without noticing. */
  freeze(): void {
    if (this.#frozen || !this.alive) return;
    const { random, scheduler, trace } = this;
    const ms = random.between(...FREEZE_MS);
    const isSuspended = random.chance(0.5);
    trace.line(this.name, () => `${isSuspended ? 'is suspended' : 'is stopped'} for ${ms} ms`);
    // Takes effect with the next delivery.
    this.#frozen = [];
    scheduler.after(ms, () => {
      trace.line(this.name, () => 'continues');
      if (isSuspended) this.#suspendedMs += ms;
      const delayed = this.#frozen ?? [];
      this.#frozen = undefined;
      for (const action of delayed) scheduler.after(0, () => this.deliver(action));
      return false;
    });
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

function outcome<T>(act: () => T): Outcome<T> {
  try {
    return { value: act() };
  } catch (error) {
    return { error };
  }
}
