import type { RunPorts } from '../run/run-ports.ts';

/** The current time, and timers. */
export interface Clock {
  readonly now: RunPorts['clock']['now'];
  /** Runs the action after `ms`. @returns a function that cancels it */
  after(ms: number, action: () => void): () => void;
}

/** A clock that shows the given time, and measures durations with the timers of this process. */
export const clockOf = (now: Clock['now']): Clock => ({
  now,
  after(ms, action) {
    const timeout = setTimeout(action, ms);
    return () => clearTimeout(timeout);
  },
});
