import type { Consumption } from '@reins/bus';

/** One runtime's share. `aside` = work that was taken and only waits, in no place. */
interface Lane {
  consumption: Consumption | undefined;
  open: boolean;
  running: number;
  aside: number;
}

/**
 * The places for work of one host, shared by all of its runtimes: what one runtime takes, the others no longer ask the server for.
 * Two of them may be handed work for the same last place; then one waits here for a moment.
 */
export class Slots {
  readonly #total: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(total: number) {
    this.#total = total;
  }

  get running(): number {
    return this.#running;
  }

  get free(): number {
    return Math.max(0, this.#total - this.#running);
  }

  /** Adds a runtime, closed at first. `attach` tells what takes its messages. */
  add(runtimeId: string): void {
    this.#lanes.set(runtimeId, { consumption: undefined, open: false, running: 0, aside: 0 });
  }

  attach(runtimeId: string, consumption: Consumption): void {
    const lane = this.#lanes.get(runtimeId);
    if (!lane) return;
    lane.consumption = consumption;
    this.#ask();
  }

  /** Whether a runtime takes work now; one that is ill leaves it to others. */
  open(runtimeId: string, open: boolean): void {
    const lane = this.#lanes.get(runtimeId);
    if (!lane || lane.open === open) return;
    lane.open = open;
    this.#ask();
  }

  /** Does a piece of work in a place of its own. */
  async use<T>(runtimeId: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(runtimeId);
    try {
      return await work();
    } finally {
      this.#leave(runtimeId);
    }
  }

  /** For work that only waits: gives its place to others meanwhile, and has one again when it goes on. */
  async aside<T>(runtimeId: string, wait: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(runtimeId);
    if (lane) lane.aside += 1;
    this.#leave(runtimeId);
    try {
      return await wait();
    } finally {
      await this.#enter(runtimeId);
      if (lane) lane.aside -= 1;
      this.#ask();
    }
  }

  async #enter(runtimeId: string): Promise<void> {
    while (this.#running >= this.#total) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#count(runtimeId, 1);
  }

  #leave(runtimeId: string): void {
    this.#count(runtimeId, -1);
    this.#waiting.shift()?.();
  }

  #count(runtimeId: string, change: 1 | -1): void {
    this.#running += change;
    const lane = this.#lanes.get(runtimeId);
    if (lane) lane.running += change;
    this.#ask();
  }

  #ask(): void {
    for (const { consumption, open, running, aside } of this.#lanes.values()) {
      consumption?.resize(running + aside + (open ? this.free : 0));
    }
  }
}
