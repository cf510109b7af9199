import type { Consumption } from '@reins/bus';

/** Places that one runtime or several share. */
interface Places {
  readonly total: number;
  running: number;
  readonly waiting: (() => void)[];
}

/** One runtime's share. `aside` = work that was taken and only waits, in no place. */
interface Lane {
  readonly places: Places;
  consumption: Consumption | undefined;
  open: boolean;
  running: number;
  aside: number;
}

/**
 * The places for work of one host, shared by its runtimes: what one runtime takes, the others no longer ask the server for. A runtime
 * whose work is light has places of its own.
 * Two of them may be handed work for the same last place; then one waits here for a moment.
 */
export class Slots {
  readonly #shared: Places;
  readonly #lanes = new Map<string, Lane>();

  constructor(total: number) {
    this.#shared = placesFor(total);
  }

  get running(): number {
    const all = new Set([this.#shared, ...[...this.#lanes.values()].map(({ places }) => places)]);
    return [...all].reduce((sum, { running }) => sum + running, 0);
  }

  get free(): number {
    return freeOf(this.#shared);
  }

  /**
   * Adds a runtime, closed at first. `attach` tells what takes its messages.
   * @param own how many places it has for itself; by default it shares those of the host
   */
  add(runtimeId: string, own?: number): void {
    const places = own === undefined ? this.#shared : placesFor(own);
    this.#lanes.set(runtimeId, { places, consumption: undefined, open: false, running: 0, aside: 0 });
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
    const places = this.#placesOf(runtimeId);
    while (places.running >= places.total) await new Promise<void>((resolve) => places.waiting.push(resolve));
    this.#count(runtimeId, 1);
  }

  #leave(runtimeId: string): void {
    this.#count(runtimeId, -1);
    this.#placesOf(runtimeId).waiting.shift()?.();
  }

  #count(runtimeId: string, change: 1 | -1): void {
    this.#placesOf(runtimeId).running += change;
    const lane = this.#lanes.get(runtimeId);
    if (lane) lane.running += change;
    this.#ask();
  }

  #placesOf(runtimeId: string): Places {
    return this.#lanes.get(runtimeId)?.places ?? this.#shared;
  }

  #ask(): void {
    for (const { places, consumption, open, running, aside } of this.#lanes.values()) {
      consumption?.resize(running + aside + (open ? freeOf(places) : 0));
    }
  }
}

const placesFor = (total: number): Places => ({ total, running: 0, waiting: [] });
const freeOf = ({ total, running }: Places): number => Math.max(0, total - running);
