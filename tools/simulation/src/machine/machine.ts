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
  /** As it is now: it ends with the faults. */
  readonly faults: () => FaultRates;
  readonly onCrash: () => void;
}

/**
 * A process from its start to its death: everything it does outside of its memory goes through here, and may fail, be slow, or be the last
 * thing that it does.
 */
export class Machine {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly trace: Trace;
  readonly #options: MachineOptions;
  readonly #skewMs: number;
  /** What came to it while it was frozen. */
  #frozen: (() => void)[] | undefined;
  /** How long its monotonic clock stood still. */
  #stoodMs = 0;
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

  /** Its own idea of the time. */
  now(): Date {
    return new Date(Math.floor(this.scheduler.now + this.#skewMs));
  }

  /** Milliseconds of a clock that only goes forward, and stands still while the machine is suspended. */
  monotonic(): number {
    return this.scheduler.now - this.#stoodMs;
  }

  latency(): number {
    const [least, most] = LATENCY_MS;
    return least + (most - least) * this.random.fraction();
  }

  /** A wait in its memory. */
  after(ms: number, action: () => void): () => void {
    return this.scheduler.after(Math.max(ms, 0.01), () => this.deliver(action));
  }

  /** Something comes to it: now, or when it goes on; never if it is dead. */
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
   * Asks the server for something.
   * @throws ReinsError `bus_unavailable`: what became of it is not known; and what the server throws
   */
  call<T>(what: string, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.alive) return;
      const { faults, random } = this;
      const isLost = random.chance(faults.lost);
      const isUnanswered = random.chance(faults.unanswered);
      const there = random.chance(faults.slow) ? random.between(...SLOW_MS) : this.latency();
      const back = this.latency();
      if (!this.#maybeDies(what, there + back)) return;
      if (isLost || isUnanswered) {
        const message = `${what} got no answer`;
        const giveUp = () => reject(new ReinsError({ code: 'bus_unavailable', message }));
        this.trace.line(this.name, () => `${what} ${isLost ? 'is lost' : 'gets no answer'}`);
        this.after(there + random.between(...GIVE_UP_MS), giveUp);
      }
      if (isLost) return;
      // An answer that comes when nobody waits for it any more is none.
      this.#ask(act, there, isUnanswered ? Number.POSITIVE_INFINITY : back, resolve, reject);
    });
  }

  /** As `call`, over a way that loses nothing: what is lost on it is the sender's own business. */
  send<T>(what: string, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.alive) return;
      const there = this.random.chance(this.faults.slow) ? this.random.between(...SLOW_MS) : this.latency();
      const back = this.latency();
      if (!this.#maybeDies(what, there + back)) return;
      this.#ask(act, there, back, resolve, reject);
    });
  }

  #ask<T>(act: () => T, there: number, back: number, resolve: (value: T) => void, reject: (error: unknown) => void) {
    this.scheduler.after(there, () => {
      const answer = outcome(act);
      if (back === Number.POSITIVE_INFINITY) return false;
      const deliver = (): void => ('error' in answer ? reject(answer.error) : resolve(answer.value));
      this.scheduler.after(back, () => this.deliver(deliver));
      return false;
    });
  }

  /** It may die before it has asked, before it is heard, or before it hears. @returns false = before */
  #maybeDies(what: string, ms: number): boolean {
    const { faults, random } = this;
    if (random.chance(faults.freeze)) this.freeze();
    if (!random.chance(faults.crash)) return true;
    const when = random.fraction() < 0.3 ? 0 : random.fraction() * ms * 1.2;
    if (when === 0) this.crash(`before ${what}`);
    else this.scheduler.after(when, () => this.crash(`around ${what}`));
    return when > 0;
  }

  /** Everything in its memory is gone. */
  crash(where: string): boolean {
    if (!this.alive) return false;
    this.trace.line(this.name, () => `dies ${where}`);
    this.alive = false;
    this.#options.onCrash();
    return false;
  }

  /** It stands still for longer than its leases live, and goes on as if nothing had been. */
  freeze(): void {
    if (this.#frozen || !this.alive) return;
    const { random, scheduler, trace } = this;
    const ms = random.between(...FREEZE_MS);
    const isSuspended = random.chance(0.5);
    trace.line(this.name, () => `${isSuspended ? 'is suspended' : 'is stopped'} for ${ms} ms`);
    // From the next thing on that comes to it.
    this.#frozen = [];
    scheduler.after(ms, () => {
      trace.line(this.name, () => 'goes on');
      if (isSuspended) this.#stoodMs += ms;
      const came = this.#frozen ?? [];
      this.#frozen = undefined;
      for (const action of came) scheduler.after(0, () => this.deliver(action));
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
