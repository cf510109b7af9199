import { deepEqual } from 'node:assert/strict';
import type { EntryData, EntryType, JsonValue } from '@reins/contracts';
import {
  applyEntry,
  type EffectState,
  type Entry,
  type EntryDraft,
  emptyRun,
  pendingEffects,
  type RunState,
  sealEntries,
  verifyEntries,
} from '@reins/journal';
import { Coroutine } from '../engine/coroutine.ts';
import type { CoroutineOptions, FedEntry, Turn } from '../engine/turn.ts';
import type { ProcessContext } from '../process-context.ts';
import type { ProcessDefinition } from '../process-definition.ts';

export const RUN = { workspaceId: 'shop', runId: '01RUN' };
const START = Date.parse('2026-01-31T12:00:00.000Z');

export function definition(
  run: (ctx: ProcessContext, inputs: JsonValue) => Promise<JsonValue | undefined>,
  more: Partial<ProcessDefinition> = {},
): ProcessDefinition {
  return { id: 'test', codeHash: 'v1', run, ...more };
}

export function draft<T extends EntryType>(type: T, data: EntryData[T]): EntryDraft {
  return { type, data } as EntryDraft;
}

/**
 * Drives a process like the control bus, without a bus: feeds it, and commits what it fed and what the process decided.
 * After every commit it replays the journal into a second coroutine. That must be in the same state and decide nothing
 * new.
 */
export class RunDriver {
  readonly entries: Entry[] = [];
  readonly state: RunState = emptyRun(RUN);
  turn: Turn = { drafts: [], steps: [], state: 'waiting' };
  #coroutine: Coroutine;
  #definition: ProcessDefinition;
  readonly #options: Omit<CoroutineOptions, 'run'>;
  #clock = START;

  private constructor(process: ProcessDefinition, options: Omit<CoroutineOptions, 'run'>) {
    this.#definition = process;
    this.#options = options;
    this.#coroutine = Coroutine.start(process, { run: RUN, ...options });
  }

  static async start(
    process: ProcessDefinition,
    inputs: JsonValue = null,
    options: Omit<CoroutineOptions, 'run'> = {},
  ): Promise<RunDriver> {
    const driver = new RunDriver(process, options);
    await driver.feed(created(process.id, inputs));
    return driver;
  }

  /** Feeds entries, commits, and replays. */
  async feed(...drafts: readonly EntryDraft[]): Promise<Turn> {
    this.#clock += 1000;
    const recordedAt = new Date(this.#clock).toISOString();
    this.turn = await this.#coroutine.advance(drafts.map((fed) => ({ ...fed, recordedAt }) as FedEntry));
    this.commit([...drafts, ...this.turn.drafts], recordedAt);
    if (this.turn.state !== 'diverged') await this.#replays();
    return this.turn;
  }

  passTime(ms = 1000): void {
    this.#clock += ms;
  }

  commit(drafts: readonly EntryDraft[], recordedAt = new Date(this.#clock).toISOString()): void {
    for (const entry of sealEntries(this.state.head, drafts, recordedAt)) {
      applyEntry(this.state, entry);
      this.entries.push(entry);
    }
    deepEqual(verifyEntries(this.entries, RUN), []);
  }

  async #replays(): Promise<void> {
    const { turn } = await this.replayed();
    deepEqual(turn.divergence, undefined);
    deepEqual(turn.drafts, [], 'a replay must not decide anything new');
    deepEqual(turn.state, this.turn.state);
  }

  replayed(process: ProcessDefinition = this.#definition): ReturnType<typeof Coroutine.replay> {
    return Coroutine.replay(process, { run: RUN, entries: this.entries, ...this.#options });
  }

  /** Replaces the owner, perhaps with other code. */
  async takeover(process: ProcessDefinition = this.#definition): Promise<Turn> {
    this.#definition = process;
    const { coroutine, turn } = await this.replayed(process);
    this.#coroutine = coroutine;
    this.turn = turn;
    this.commit(turn.drafts);
    return turn;
  }

  get pending(): EffectState[] {
    return pendingEffects(this.state);
  }

  /** The pending effect with this label, name or kind. */
  effect(name: string): EffectState {
    const found = this.pending.find(
      ({ label, kind, request }) => label === name || request.name === name || kind === name,
    );
    if (!found)
      throw new Error(
        `no pending effect ${name}; there are ${this.pending.map(({ key }) => key).join(', ') || 'none'}`,
      );
    return found;
  }

  answer(name: string, value: JsonValue): Promise<Turn> {
    return this.feed(this.answered(name, value));
  }

  answered(name: string, value: JsonValue): EntryDraft {
    const { effectId, attempt } = this.effect(name);
    return draft('EFFECT_RESOLVED', { effectId, attempt, status: 'ok', value });
  }

  fail(name: string, code = 'broken', message = 'it broke'): Promise<Turn> {
    const { effectId, attempt } = this.effect(name);
    return this.feed(draft('EFFECT_RESOLVED', { effectId, attempt, status: 'error', error: { code, message } }));
  }

  cancel(reason = 'enough'): Promise<Turn> {
    return this.feed(draft('RUN_CANCEL_REQUESTED', { reason, idempotencyKey: `cancel-${this.state.head.version}` }));
  }

  /** Runs the due steps until none is left. */
  async runSteps(): Promise<void> {
    while (this.turn.steps.length > 0) {
      const done = await Promise.all(this.turn.steps.map((due) => due.run()));
      await this.feed(...done);
    }
  }
}

export function created(processId: string, inputs: JsonValue): EntryDraft {
  return draft('RUN_CREATED', {
    workspaceId: RUN.workspaceId,
    sessionId: 'ses',
    agentId: 'main',
    revision: 'ab'.repeat(32),
    process: { id: processId, codeHash: 'v1' },
    inputs,
    session: {},
    idempotencyKey: 'submit',
  });
}
