import { defined, type ErrorCode, ReinsError } from '@reins/contracts';
import { Coroutine, type DueStep, errorInfoOf, type ProcessDefinition, type Turn } from '@reins/replay';
import {
  type Child,
  type ChildListener,
  closed,
  type LoadMessage,
  type ToChild,
  type TurnMessage,
} from '@reins/sandbox/core';
import type { Machine } from './machine.ts';

/** A longer turn times out. */
const TURN_MS = 10_000;
const SLOW_MS = [1_000, 12_000] as const;

type Stepped = Awaited<ReturnType<DueStep['run']>>;

/**
 * A simulated sandbox child: a coroutine that is reached through JSON copies only. It may die before or after it
 * handles a request, and stays dead.
 */
export class SimulatedChild implements Child {
  readonly #machine: Machine;
  readonly #listener: ChildListener;
  readonly #definitionOf: (id: string) => ProcessDefinition;
  readonly #steps = new Map<string, DueStep>();
  readonly #waiting = new Set<(error: Error) => void>();
  #loaded: LoadMessage | undefined;
  #coroutine: Coroutine | undefined;
  #journal: Extract<ToChild, { type: 'replay' }>['entries'][number][] = [];
  #requested = new Set<string>();
  #failure: Error | undefined;

  constructor(machine: Machine, listener: ChildListener, definitionOf: (id: string) => ProcessDefinition) {
    this.#machine = machine;
    this.#listener = listener;
    this.#definitionOf = definitionOf;
  }

  load(message: LoadMessage): Promise<object> {
    return this.#request('load', async () => {
      this.#loaded = message;
      return {};
    });
  }

  turn(messages: readonly ToChild[]): Promise<TurnMessage> {
    const copies = copied(messages);
    return this.#request('turn', async () => {
      let result: TurnMessage | undefined;
      for (const message of copies) result = (await this.#take(message)) ?? result;
      return copied(result as TurnMessage);
    });
  }

  step({ effectId }: Pick<DueStep, 'effectId'>): Promise<Stepped> {
    return this.#request('step', async () => copied(await (this.#steps.get(effectId) as DueStep).run()));
  }

  async close(): Promise<void> {
    this.#fail(closed());
  }

  async kill(): Promise<void> {
    this.#fail(closed());
  }

  async #take(message: ToChild): Promise<TurnMessage | undefined> {
    const { id, run, identity, nonInteractive } = this.#loaded as LoadMessage;
    const { loadValue } = this.#listener;
    const options = { run, nonInteractive, ...(identity && { identity }), ...(loadValue && { loadValue }) };
    if (message.type === 'advance') {
      this.#coroutine ??= Coroutine.start(this.#definitionOf(id), options);
      return this.#toResult(await this.#coroutine.advance(message.entries));
    }
    if (message.type !== 'replay') return undefined;
    this.#journal.push(...message.entries);
    if (!message.isLast) return undefined;
    const entries = this.#journal;
    for (const { type, data } of entries) if (type === 'EFFECT_REQUESTED') this.#requested.add(data.effectId);
    const { replayedAt } = message;
    const more = { ...options, entries, ...defined({ replayedAt }) };
    const { coroutine, turn } = await Coroutine.replay(this.#definitionOf(id), more);
    this.#coroutine = coroutine;
    return this.#toResult(turn);
  }

  #toResult({ divergence, drafts, state, steps }: Turn): TurnMessage {
    for (const step of steps) this.#steps.set(step.effectId, step);
    for (const draft of drafts) if (draft.type === 'EFFECT_REQUESTED') this.#requested.add(draft.data.effectId);
    this.#requested = new Set([...this.#requested].filter((effectId) => this.#coroutine?.waitsFor(effectId)));
    const result = divergence && { divergence: { ...divergence, error: errorInfoOf(divergence.error) } };
    return { drafts, steps: steps.map(({ run, ...step }) => step), state, awaited: [...this.#requested], ...result };
  }

  #request<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.#failure) return Promise.reject(this.#failure);
    const { promise, reject, resolve } = Promise.withResolvers<T>();
    const { faults, random } = this.#machine;
    this.#waiting.add(reject);
    const delay = random.chance(faults.slow) ? random.between(...SLOW_MS) : this.#machine.latency();
    const dies = random.chance(faults.childLost);
    const isBefore = random.chance(0.3);
    this.#machine.after(Math.min(delay, TURN_MS), () => {
      if (delay >= TURN_MS) return this.#fail(failure('process_timed_out', `a ${what} took too long`));
      if (dies && isBefore) return this.#fail(failure('process_crashed', `it ended before a ${what}`));
      void work().then((value) => {
        if (dies) return this.#fail(failure('process_crashed', `it ended after a ${what}`));
        this.#machine.after(this.#machine.latency(), () => {
          this.#waiting.delete(reject);
          resolve(value);
        });
      }, reject);
    });
    return promise;
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#machine.trace.line(this.#machine.name, () => `loses a child of ${this.#loaded?.run.runId}: ${error.message}`);
    this.#failure = error;
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}

const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const failure = (code: ErrorCode, message: string): ReinsError => new ReinsError({ code, message });
