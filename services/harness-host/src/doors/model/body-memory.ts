/** The bytes of one run's HTTP request bodies in memory. */
export interface RunBytes {
  bytes: number;
}

export interface BodyLimits {
  /** The bytes of all bodies of a run: a long conversation with images. Providers accept about half of that. */
  readonly run: number;
  /** Always allowed for a run: an ordinary conversation. Otherwise, a few runs could block all others. */
  readonly guaranteed: number;
  /** The bytes of all bodies of a host. */
  readonly host: number;
}

const MIB = 1024 * 1024;
export const BODY_LIMITS: BodyLimits = { run: 64 * MIB, guaranteed: 2 * MIB, host: 256 * MIB };

/** Counts the bytes of bodies that a host has in memory. */
export class BodyMemory {
  readonly #limits: BodyLimits;
  #bytes = 0;

  constructor(limits: BodyLimits = BODY_LIMITS) {
    this.#limits = limits;
  }

  /** Counts bytes of a run, even above a limit. Returns whether the limits allow them. */
  add(run: RunBytes, bytes: number): boolean {
    run.bytes += bytes;
    this.#bytes += bytes;
    if (run.bytes <= this.#limits.guaranteed) return true;
    return !this.isTooMuch(run) && this.#bytes <= this.#limits.host;
  }

  /** Whether a run exceeds its own limit, regardless of other runs. */
  isTooMuch({ bytes }: RunBytes): boolean {
    return bytes > this.#limits.run;
  }

  /** The bytes of a run are no longer in memory. */
  remove(run: RunBytes, bytes: number): void {
    run.bytes -= bytes;
    this.#bytes -= bytes;
  }
}
