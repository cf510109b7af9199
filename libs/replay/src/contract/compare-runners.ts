import { deepEqual } from 'node:assert/strict';
import type { JsonValue } from '@reins/contracts';
import {
  applyEntry,
  type Entry,
  type EntryDraft,
  emptyRun,
  pendingEffects,
  type RunState,
  sealEntries,
} from '@reins/journal';
import type { BabysitterProcess } from '../babysitter/process.ts';
import { babysitterProcess } from '../babysitter/process.ts';
import { inProcess, type ProcessRunner, type RunningProcess } from '../engine/process-runner.ts';
import type { FedEntry, Turn } from '../engine/turn.ts';

const RUN = { workspaceId: 'shop', runId: '01RUN' };
const START = Date.parse('2026-01-31T12:00:00.000Z');

/** A turn without its functions, and without the places in the code of the author, which only some runners know. */
function comparable({ steps, divergence, drafts, ...turn }: Turn) {
  return {
    ...turn,
    drafts: drafts.map(withoutPlace),
    steps: steps.map(({ run, ...step }) => step),
    divergence: divergence && { ...divergence, error: divergence.error.problems },
  };
}

function withoutPlace(draft: EntryDraft): EntryDraft {
  if (draft.type !== 'PROCESS_RUNTIME_ERROR' && draft.type !== 'RUN_FAILED') return draft;
  const { stack, path, ...error } = draft.data.error;
  return stack === undefined ? draft : ({ ...draft, data: { ...draft.data, error } } as EntryDraft);
}

/** Drives one run with two runners, as its owner would, and compares every turn with `node:assert`. */
export class ComparedRun {
  readonly entries: Entry[] = [];
  readonly state: RunState = emptyRun(RUN);
  readonly #subject: ProcessRunner;
  readonly #reference: ProcessRunner;
  #running: readonly [RunningProcess, RunningProcess] | undefined;
  #turns: readonly [Turn, Turn] | undefined;
  #clock = START;

  /** @param process the function that the subject runs as well */
  constructor(subject: ProcessRunner, process: BabysitterProcess) {
    this.#subject = subject;
    this.#reference = inProcess(babysitterProcess(subject.id, subject.codeHash, process));
  }

  get turn(): Turn {
    if (!this.#turns) throw new Error('the run was not started');
    return this.#turns[0];
  }

  async start(inputs: JsonValue = null): Promise<void> {
    const options = { run: RUN, journal: async () => this.entries };
    this.#running = [await this.#subject.start(options), await this.#reference.start(options)];
    const { id, codeHash } = this.#subject;
    const owner = { workspaceId: RUN.workspaceId, sessionId: 's', agentId: 'a', revision: '0'.repeat(64) };
    const data = { ...owner, process: { id, codeHash }, inputs, session: {}, idempotencyKey: 'k' };
    await this.feed({ type: 'RUN_CREATED', data });
  }

  /** Feeds entries, compares the turns, and commits. */
  async feed(...drafts: readonly EntryDraft[]): Promise<void> {
    this.#clock += 1000;
    const recordedAt = new Date(this.#clock).toISOString();
    const fed = drafts.map((draft) => ({ ...draft, recordedAt }) as FedEntry);
    const [subject, reference] = this.#both();
    this.#turns = [await subject.advance(fed), await reference.advance(fed)];
    deepEqual(comparable(this.#turns[0]), comparable(this.#turns[1]));
    for (const entry of sealEntries(this.state.head, [...drafts, ...this.#turns[0].drafts], recordedAt)) {
      applyEntry(this.state, entry);
      this.entries.push(entry);
    }
    for (const effectId of this.state.effects.keys())
      deepEqual(subject.waitsFor(effectId), reference.waitsFor(effectId));
  }

  /** Answers the pending effect of this label, key or kind. */
  answer(name: string, value: JsonValue): Promise<void> {
    return this.feed(this.answered(name, value));
  }

  answered(name: string, value: JsonValue): EntryDraft<'EFFECT_RESOLVED'> {
    const { effectId, attempt } = this.#pending(name);
    return { type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'ok', value } };
  }

  fail(name: string): Promise<void> {
    const { effectId, attempt } = this.#pending(name);
    const error = { code: 'broken', message: 'it broke' };
    return this.feed({ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error } });
  }

  /** Runs the due steps with both runners until none is left. */
  async runSteps(): Promise<void> {
    while (this.turn.steps.length > 0) {
      const [mine, theirs] = this.#turns as readonly [Turn, Turn];
      const done = await Promise.all(mine.steps.map((step) => step.run()));
      deepEqual(done, await Promise.all(theirs.steps.map((step) => step.run())));
      await this.feed(...done);
    }
  }

  /** Replays the first entries of the journal with both runners. */
  async replays(length = this.entries.length, everyStart = false): Promise<Turn> {
    const entries = this.entries.slice(0, length);
    const options = { run: RUN, entries, replayedAt: '2026-02-01T00:00:00.000Z', everyStart };
    const [subject, reference] = [await this.#subject.replay(options), await this.#reference.replay(options)];
    deepEqual(comparable(subject.turn), comparable(reference.turn));
    await subject.running.close();
    return subject.turn;
  }

  async close(): Promise<void> {
    await this.#running?.[0].close();
  }

  #both(): readonly [RunningProcess, RunningProcess] {
    if (!this.#running) throw new Error('the run was not started');
    return this.#running;
  }

  #pending(name: string) {
    const pending = pendingEffects(this.state);
    const found = pending.find(({ label, key, kind }) => label === name || key === name || kind === name);
    if (!found) throw new Error(`no effect ${name} is pending; there are ${pending.map(({ key }) => key).join(', ')}`);
    return found;
  }
}
