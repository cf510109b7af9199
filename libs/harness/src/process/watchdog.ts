import type { AdapterEvent, ErrorInfo } from '@reins/contracts';
import type { HarnessDeadlines } from '../contract.ts';

type Limit = Exclude<keyof HarnessDeadlines, 'toolMs'>;
/** The limits between two signs of life. A tool that works silently shows none. */
const BETWEEN: readonly Limit[] = ['idleMs', 'noProgressMs'];

const CODES: Readonly<Record<Limit, { code: string; violation: string; limit: string }>> = {
  totalMs: { code: 'harness_timeout_total', limit: 'total timeout', violation: 'it did not finish' },
  startupMs: { code: 'harness_timeout_startup', limit: 'startup timeout', violation: 'no output' },
  idleMs: { code: 'harness_timeout_idle', limit: 'idle timeout', violation: 'no output' },
  noProgressMs: { code: 'harness_no_progress', limit: 'progress timeout', violation: 'no progress' },
};

/** Watches the deadlines of an execution. Calls `expired` once, for the first deadline that passes. */
export class Watchdog {
  readonly #deadlines: HarnessDeadlines;
  readonly #expired: (error: ErrorInfo) => void;
  readonly #timers = new Map<Limit, NodeJS.Timeout>();
  /** The outstanding tool calls, each with its timer if calls have a limit. */
  readonly #calls = new Map<string, NodeJS.Timeout | undefined>();
  #stopped = false;
  #active = false;

  constructor(deadlines: HarnessDeadlines, expired: (error: ErrorInfo) => void) {
    this.#deadlines = deadlines;
    this.#expired = expired;
    this.#arm('totalMs');
    this.#arm('startupMs');
  }

  /** Records that the executor wrote bytes. */
  recordActivity(): void {
    if (this.#active) {
      this.#refresh('idleMs');
      return;
    }
    this.#active = true;
    this.#disarm('startupMs');
    this.#watchBetween();
  }

  /** Records progress: text, a tool call or its result. */
  recordProgress(): void {
    this.recordActivity();
    this.#refresh('noProgressMs');
  }

  /** Records a signal of the executor. Ignores the hand-off, which comes from the adapter. */
  observe({ phase, callId = '' }: Pick<AdapterEvent, 'phase' | 'callId'>): void {
    if (phase === 'agent.handoff') return;
    this.recordProgress();
    if (phase === 'agent.tool.start') this.#toolStarted(callId);
    if (phase === 'agent.tool.result') this.#toolEnded(callId);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of [...this.#timers.values(), ...this.#calls.values()]) clearTimeout(timer);
    this.#timers.clear();
    this.#calls.clear();
  }

  #toolStarted(callId: string): void {
    if (this.#stopped) return;
    for (const limit of BETWEEN) this.#disarm(limit);
    clearTimeout(this.#calls.get(callId));
    const { toolMs } = this.#deadlines;
    this.#calls.set(callId, toolMs === undefined ? undefined : setTimeout(() => this.#expireTool(toolMs), toolMs));
  }

  #toolEnded(callId: string): void {
    clearTimeout(this.#calls.get(callId));
    if (this.#calls.delete(callId)) this.#watchBetween();
  }

  #watchBetween(): void {
    if (this.#calls.size === 0) for (const limit of BETWEEN) this.#arm(limit);
  }

  #expireTool(toolMs: number): void {
    this.stop();
    const message = `the executor was stopped: a tool call did not end within the tool timeout (${toolMs} ms)`;
    this.#expired({ code: 'harness_no_progress', message });
  }

  #refresh(limit: Limit): void {
    this.#timers.get(limit)?.refresh();
  }

  #disarm(limit: Limit): void {
    clearTimeout(this.#timers.get(limit));
    this.#timers.delete(limit);
  }

  #arm(limit: Limit): void {
    if (this.#stopped) return;
    const ms = this.#deadlines[limit];
    const timer = setTimeout(() => {
      this.stop();
      const { code, violation, limit: name } = CODES[limit];
      this.#expired({ code, message: `the executor was stopped: ${violation} within the ${name} (${ms} ms)` });
    }, ms);
    this.#timers.set(limit, timer);
  }
}
