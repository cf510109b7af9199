import { type Isolation, probe, requireIsolation } from '@reins/os-sandbox';
import { hiddenFolders } from '../graph/hidden-folders.ts';
import type { ModuleGraph } from '../graph/module-graph.ts';
import { type ChildLimits, type ChildListener, SandboxChild } from './sandbox-child.ts';

/** The part of a child that a run uses. */
export type Child = Pick<SandboxChild, 'load' | 'turn' | 'step' | 'close' | 'kill'>;

/** Starts children and provides their clock and timers. */
export interface SandboxMachine {
  readonly start: (graph: ModuleGraph, limits: ChildLimits, listener: ChildListener) => Promise<Child>;
  /** Milliseconds of a monotonic or a wall clock. */
  readonly now: () => number;
  /** Schedules an action without keeping this process alive. @returns a function that cancels it */
  readonly after: (ms: number, action: () => void) => () => void;
}

/** Whether a child may run on a host without isolation by the operating system. */
export type IsolationRule = 'required' | 'preferred';

/**
 * The machine that this process runs on.
 * @param isolation the isolation of every child. Default: the best that the host has
 */
export const thisMachine = (rule: IsolationRule, isolation: () => Promise<Isolation> = probe): SandboxMachine => ({
  async start(graph, limits, listener) {
    const found = await isolation();
    if (rule === 'required') requireIsolation(found);
    return SandboxChild.start({ root: graph.root, hidden: hiddenFolders(graph), isolation: found }, limits, listener);
  },
  now: Date.now,
  after(ms, action) {
    const timer = setTimeout(action, ms).unref();
    return () => clearTimeout(timer);
  },
});
