import type { Consumption } from '@reins/bus';

/** Slots that one or more runtimes share. */
interface SlotGroup {
  readonly total: number;
  running: number;
  readonly waiting: (() => void)[];
}

/** The state of one runtime. */
interface RuntimeSlots {
  readonly group: SlotGroup;
  consumption: Consumption | undefined;
  open: boolean;
  running: number;
  taken: number;
}

/** The load of one runtime, as its offer reports it. */
export interface SlotUsage {
  readonly slots: number;
  /** Slots in use, including by other runtimes that share them. */
  readonly slotsInUse: number;
  /** Stages of the runtime since the host started. */
  readonly stagesTaken: number;
}

/**
 * The slots of one host, shared by its runtimes. When one runtime takes a slot, the consumers of the others are
 * resized. A runtime with in-process work has its own slots. Two runtimes may receive work for the same last slot;
 * then one of them waits here.
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
   * Adds a runtime, initially closed. `attach` sets its consumer.
   * @param own the number of its own slots; by default it shares those of the host
   */
  add(runtimeId: string, own?: number): void {
    const group = own === undefined ? this.#shared : newGroup(own);
    this.#runtimes.set(runtimeId, { group, consumption: undefined, open: false, running: 0, taken: 0 });
  }

  attach(runtimeId: string, consumption: Consumption): void {
    const runtime = this.#runtimes.get(runtimeId);
    if (!runtime) return;
    runtime.consumption = consumption;
    this.#resizeConsumers();
  }

  /** Opens or closes a runtime. An unhealthy runtime is closed, so that other hosts take its work. */
  setOpen(runtimeId: string, open: boolean): void {
    const runtime = this.#runtimes.get(runtimeId);
    if (!runtime || runtime.open === open) return;
    runtime.open = open;
    this.#resizeConsumers();
  }

  usageOf(runtimeId: string): SlotUsage {
    const { total, running } = this.#groupOf(runtimeId);
    return { slots: total, slotsInUse: running, stagesTaken: this.#runtimes.get(runtimeId)?.taken ?? 0 };
  }

  /** Runs work in a slot; waits until one is free. */
  async use<T>(runtimeId: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(runtimeId);
    try {
      return await work();
    } finally {
      this.#leave(runtimeId);
    }
  }

  async #enter(runtimeId: string): Promise<void> {
    const group = this.#groupOf(runtimeId);
    while (group.running >= group.total) await new Promise<void>((resolve) => group.waiting.push(resolve));
    this.#count(runtimeId, 1);
    const runtime = this.#runtimes.get(runtimeId);
    if (runtime) runtime.taken += 1;
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
    for (const { group, consumption, open, running } of this.#runtimes.values()) {
      consumption?.resize(running + (open ? freeIn(group) : 0));
    }
  }
}

const newGroup = (total: number): SlotGroup => ({ total, running: 0, waiting: [] });
const freeIn = ({ total, running }: SlotGroup): number => Math.max(0, total - running);
