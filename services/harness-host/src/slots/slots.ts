import type { Consumption } from '@reins/bus';

/** Places that one runtime or several share. */
interface SlotGroup {
  readonly total: number;
  running: number;
  readonly waiting: (() => void)[];
}

/** One runtime's share. `aside` = work that was taken and only waits, in no place. */
interface RuntimeSlots {
  readonly group: SlotGroup;
  consumption: Consumption | undefined;
  open: boolean;
  running: number;
  parked: number;
}

/**
 * The places for work of one host, shared by its runtimes: what one runtime takes, the others no longer ask the server for. A runtime
 * whose work is light has places of its own.
 * Two of them may be handed work for the same last place; then one waits here for a moment.
 */
export class Slots {
  readonly #shared: SlotGroup;
  readonly #runtimes = new Map<string, RuntimeSlots>();

  constructor(total: number) {
    this.#shared = newGroup(total);
  }

  get running(): number {
    const all = new Set([this.#shared, ...[...this.#runtimes.values()].map(({ group }) => group)]);
    return [...all].reduce((sum, { running }) => sum + running, 0);
  }

  get free(): number {
    return freeIn(this.#shared);
  }

  /**
   * Adds a runtime, closed at first. `attach` tells what takes its messages.
   * @param own how many places it has for itself; by default it shares those of the host
   */
  add(runtimeId: string, own?: number): void {
    const group = own === undefined ? this.#shared : newGroup(own);
    this.#runtimes.set(runtimeId, { group, consumption: undefined, open: false, running: 0, parked: 0 });
  }

  attach(runtimeId: string, consumption: Consumption): void {
    const runtime = this.#runtimes.get(runtimeId);
    if (!runtime) return;
    runtime.consumption = consumption;
    this.#resizeConsumers();
  }

  /** Whether a runtime takes work now; one that is ill leaves it to others. */
  open(runtimeId: string, open: boolean): void {
    const runtime = this.#runtimes.get(runtimeId);
    if (!runtime || runtime.open === open) return;
    runtime.open = open;
    this.#resizeConsumers();
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
  async releaseWhile<T>(runtimeId: string, wait: () => Promise<T>): Promise<T> {
    const runtime = this.#runtimes.get(runtimeId);
    if (runtime) runtime.parked += 1;
    this.#leave(runtimeId);
    try {
      return await wait();
    } finally {
      await this.#enter(runtimeId);
      if (runtime) runtime.parked -= 1;
      this.#resizeConsumers();
    }
  }

  async #enter(runtimeId: string): Promise<void> {
    const group = this.#groupOf(runtimeId);
    while (group.running >= group.total) await new Promise<void>((resolve) => group.waiting.push(resolve));
    this.#count(runtimeId, 1);
  }

  #leave(runtimeId: string): void {
    this.#count(runtimeId, -1);
    this.#groupOf(runtimeId).waiting.shift()?.();
  }

  #count(runtimeId: string, change: 1 | -1): void {
    this.#groupOf(runtimeId).running += change;
    const runtime = this.#runtimes.get(runtimeId);
    if (runtime) runtime.running += change;
    this.#resizeConsumers();
  }

  #groupOf(runtimeId: string): SlotGroup {
    return this.#runtimes.get(runtimeId)?.group ?? this.#shared;
  }

  #resizeConsumers(): void {
    for (const { group, consumption, open, running, parked } of this.#runtimes.values()) {
      consumption?.resize(running + parked + (open ? freeIn(group) : 0));
    }
  }
}

const newGroup = (total: number): SlotGroup => ({ total, running: 0, waiting: [] });
const freeIn = ({ total, running }: SlotGroup): number => Math.max(0, total - running);
