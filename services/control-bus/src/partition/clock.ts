import type { RunPorts } from '../run/run-ports.ts';

/** The time, and waiting for it. */
export interface Clock {
  readonly now: RunPorts['clock']['now'];
  /** @returns what calls the action off */
  after(ms: number, action: () => void): () => void;
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  after(ms, action) {
    const timeout = setTimeout(action, ms);
    return () => clearTimeout(timeout);
  },
};
