import type { RunPorts } from '../run/run-ports.ts';

/** The current time, and timers. */
export interface Clock {
  readonly now: RunPorts['clock']['now'];
  /** Runs the action after `ms`. @returns a function that cancels it */
  after(ms: number, action: () => void): () => void;
}

/** The system clock. */
export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  after(ms, action) {
    const timeout = setTimeout(action, ms);
    return () => clearTimeout(timeout);
  },
};
