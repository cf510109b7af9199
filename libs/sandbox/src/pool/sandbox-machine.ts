import { type ChildLimits, type ChildListener, SandboxChild } from './sandbox-child.ts';

/** What a run uses of a child. */
export type Child = Pick<SandboxChild, 'load' | 'turn' | 'step' | 'close' | 'kill'>;

/** Where children run, and the time that passes there. */
export interface SandboxMachine {
  readonly start: (root: string, limits: ChildLimits, listener: ChildListener) => Promise<Child>;
  /** Milliseconds of any clock. */
  readonly now: () => number;
  /** Does something later; keeps no process alive for it. @returns what calls it off */
  readonly after: (ms: number, action: () => void) => () => void;
}

/** The one that this process runs on. */
export const THIS_MACHINE: SandboxMachine = {
  start: SandboxChild.start,
  now: Date.now,
  after(ms, action) {
    const timer = setTimeout(action, ms).unref();
    return () => clearTimeout(timer);
  },
};
