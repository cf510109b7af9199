import type { JsonObject, JsonValue, ProcessRef, RunAddress } from '@reins/contracts';
import { defined, ReinsError } from '@reins/contracts';
import {
  applyEntry,
  type EffectState,
  type Entry,
  type EntryDraft,
  effectKind,
  foldRun,
  type JournalStore,
  type LargeValues,
  offloadLargeValues,
  type Position,
  pendingEffects,
  type RunState,
  sealEntries,
} from '@reins/journal';
import { codeChange } from '../engine/code-change.ts';
import { type ProcessRunner, type RunnerOptions, type RunningProcess, runnerOf } from '../engine/process-runner.ts';
import type { CoroutineOptions, FedEntry, Turn } from '../engine/turn.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { type PostedResult, resolution } from './answers.ts';
import { dueAnswers } from './due.ts';
import { identityOf } from './identity.ts';
import { pendingEffect } from './operator.ts';
import { reconcileProcessState } from './reconcile-process-state.ts';

/** The options of a run without a control bus. */
export interface LocalRunOptions extends Omit<CoroutineOptions, 'run' | 'loadValue'> {
  readonly store: JournalStore;
  readonly run: RunAddress;
  /** A definition, which runs in this process, or a runner that runs it elsewhere. */
  readonly definition: ProcessDefinition | ProcessRunner;
  /** Stores values that are too large for the journal. Without it, all values are in the journal. */
  readonly blobs?: LargeValues;
  /** Default: the system clock. */
  readonly now?: () => Date;
}

/** The data of a new run. */
export interface NewRun {
  readonly inputs: JsonValue;
  readonly process?: ProcessRef;
  readonly sessionId?: string;
  readonly agentId?: string;
  /** Metadata from the creator, stored in the first entry. */
  readonly metadata?: JsonObject;
}

/**
 * A run that one process drives over any journal store, as the commands on run directories do. Every change is appended
 * before it takes effect. If another writer appended meanwhile, the call fails and nothing has changed.
 */
export class LocalRun {
  readonly #options: LocalRunOptions;
  readonly #process: RunningProcess;
  readonly state: RunState;
  #position: Position;
  #turn: Turn;

  private constructor(
    options: LocalRunOptions,
    process: RunningProcess,
    turn: Turn,
    state: RunState,
    position: Position,
  ) {
    this.#options = options;
    this.#process = process;
    this.#turn = turn;
    this.state = state;
    this.#position = position;
  }

  /** Creates the run and continues until it waits. */
  static async create(
    options: LocalRunOptions,
    { inputs, process, sessionId = 'local', agentId = 'local', metadata }: NewRun,
  ): Promise<LocalRun> {
    const { run, definition } = options;
    const running = await runnerOf(definition).start(runnerOptions(options, []));
    const local = new LocalRun(options, running, { drafts: [], steps: [], state: 'waiting' }, foldRun(run, []), 0);
    const { id, codeHash } = definition;
    const owner = {
      workspaceId: run.workspaceId,
      sessionId,
      agentId,
      revision: '0'.repeat(64),
      process: process ?? { id, codeHash },
    };
    const more = metadata ? { metadata } : {};
    const data = { ...owner, inputs, session: {}, idempotencyKey: run.runId, ...more };
    await local.#feed([{ type: 'RUN_CREATED', data }]);
    await local.#runUntilBlocked();
    return local;
  }

  /**
   * Replays an existing run and continues until it waits. Records decisions that the journal does not have yet, and
   * does what is due.
   */
  static async open(options: LocalRunOptions): Promise<LocalRun> {
    const { store, run, definition } = options;
    const { entries, position } = await store.load(run);
    const replayedAt = nowOf(options).toISOString();
    const runner = runnerOf(definition);
    const { running, turn } = await runner.replay({ ...runnerOptions(options, entries), entries, replayedAt });
    const local = new LocalRun(options, running, turn, foldRun(run, entries), position);
    const changes = [...codeChange(local.state, runner, turn), ...turn.drafts];
    await local.#append(
      [...changes, ...reconcileProcessState(local.state, turn, changes, { entries, replayedAt })],
      replayedAt,
    );
    await local.#runUntilBlocked();
    return local;
  }

  /** `waiting`, one of the end states, or `diverged`. */
  get processState(): Turn['state'] {
    return this.#turn.state;
  }

  get divergence(): Turn['divergence'] {
    return this.#turn.divergence;
  }

  /** Ends a process that runs elsewhere. The run stays as it is. */
  close(): Promise<void> {
    return this.#process.close();
  }

  get pending(): EffectState[] {
    return pendingEffects(this.state);
  }

  /** @throws ReinsError `effect_not_pending` */
  async post(effectId: string, posted: PostedResult): Promise<void> {
    await this.#feed([{ type: 'EFFECT_RESOLVED', data: resolution(pendingEffect(this.state, effectId), posted) }]);
    await this.#runUntilBlocked();
  }

  /** @throws ReinsError `effect_not_pending` */
  async cancelEffect(effectId: string, reason?: string): Promise<void> {
    const { attempt } = pendingEffect(this.state, effectId);
    await this.#feed([
      {
        type: 'EFFECT_CANCELLED',
        data: { effectId, attempt, confirmed: true, ...defined({ reason }) },
      },
    ]);
    await this.#runUntilBlocked();
  }

  /** Sends a signal to the effect that waits for it, or buffers it. */
  async signal(name: string, payload: JsonValue = null): Promise<void> {
    const waits = this.pending.find(({ kind, request }) => effectKind(kind).awaitedSignal?.(request) === name);
    const about = waits ? { effectId: waits.effectId } : {};
    const received: EntryDraft = { type: 'SIGNAL_RECEIVED', data: { name, payload, ...about } };
    const resolved = waits
      ? [{ type: 'EFFECT_RESOLVED', data: resolution(waits, { status: 'ok', value: payload }) } as const]
      : [];
    await this.#feed([received, ...resolved]);
    await this.#runUntilBlocked();
  }

  /** Does everything that needs no outside input: due sleeps and deadlines, and local steps. */
  async #runUntilBlocked(): Promise<void> {
    for (;;) {
      const due = this.#turn.steps;
      const drafts = due.length > 0 ? await Promise.all(due.map((step) => waited(step))) : this.#byTime();
      if (drafts.length === 0) return;
      await this.#feed(drafts);
    }
  }

  #byTime(): EntryDraft[] {
    if (this.#turn.state !== 'waiting' || this.state.pending.size === 0) return [];
    return dueAnswers(this.pending, nowOf(this.#options));
  }

  async #feed(decided: readonly EntryDraft[]): Promise<void> {
    const drafts = await offloadLargeValues(decided, this.#options.blobs);
    const recordedAt = nowOf(this.#options).toISOString();
    this.#turn = await this.#process.advance(drafts.map((draft) => ({ ...draft, recordedAt }) as FedEntry));
    await this.#append([...drafts, ...this.#turn.drafts], recordedAt);
  }

  async #append(drafts: readonly EntryDraft[], recordedAt: string): Promise<void> {
    if (drafts.length === 0) return;
    const { store, run, blobs } = this.#options;
    const entries: Entry[] = sealEntries(this.state.head, await offloadLargeValues(drafts, blobs), recordedAt);
    const answer = await store.append(run, { entries, epoch: 0 }, this.#position);
    if (answer.outcome === 'fenced')
      throw new ReinsError({ code: 'run_locked', message: 'another writer changed the run in the meantime' });
    this.#position = answer.position;
    for (const entry of entries) applyEntry(this.state, entry);
  }
}

/** The coroutine options of a run, for any driver. */
export function coroutineOptions(
  { run, blobs, nonInteractive }: Pick<LocalRunOptions, 'run' | 'blobs' | 'nonInteractive'>,
  entries: readonly Entry[],
): CoroutineOptions {
  return {
    ...identityOf(run, entries),
    ...(nonInteractive && { nonInteractive }),
    ...(blobs && { loadValue: (ref) => blobs.get(ref) }),
  };
}

function runnerOptions(options: LocalRunOptions, entries: readonly Entry[]): RunnerOptions {
  const { store, run } = options;
  return { ...coroutineOptions(options, entries), journal: async () => (await store.load(run)).entries };
}

const nowOf = ({ now }: LocalRunOptions): Date => now?.() ?? new Date();

async function waited(step: Turn['steps'][number]): Promise<EntryDraft> {
  const wait = step.notBefore - Date.now();
  if (wait > 0 && step.attempt > 1) await new Promise((resolve) => setTimeout(resolve, wait));
  return step.run();
}
