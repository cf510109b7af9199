import { type EntryDraft, isEnded, type RunState } from '@reins/journal';
import { Coroutine, type DueStep, type Fed, type ReplayOptions, type Turn } from '@reins/replay';
import { definitionFor } from '../processes/built-in-process.ts';
import { type ProcessWants, unwound } from './cancel.ts';
import type { RunPorts } from './run-ports.ts';

/** The process of a run in its owner's memory: what it decides, what it still wants, and the local steps that are due. */
export class RunProcess implements ProcessWants {
  readonly #ports: Pick<RunPorts, 'processOf' | 'clock'>;
  readonly #state: RunState;
  #coroutine: Coroutine | undefined;
  #steps: DueStep[] = [];

  constructor(ports: Pick<RunPorts, 'processOf' | 'clock'>, state: RunState) {
    this.#ports = ports;
    this.#state = state;
  }

  get hasEnded(): boolean {
    return this.#coroutine?.state !== 'waiting';
  }

  waitsFor(effectId: string): boolean {
    return this.#coroutine?.waitsFor(effectId) ?? false;
  }

  /** What follows from entries that the run's state has taken in. A run that has ended asks its process nothing. */
  async advance(entries: readonly Fed[]): Promise<readonly EntryDraft[]> {
    if (isEnded(this.#state)) return [];
    this.#coroutine ??= Coroutine.start(this.#definition(), { run: this.#state.run });
    return this.#consequences(await this.#coroutine.advance(entries));
  }

  /** Brings the process to where the journal left it. Returns what it still owes. */
  async replay(entries: ReplayOptions['entries']): Promise<readonly EntryDraft[]> {
    if (isEnded(this.#state)) return [];
    const { coroutine, turn } = await Coroutine.replay(this.#definition(), {
      run: this.#state.run,
      entries,
      replayedAt: this.#ports.clock.now().toISOString(),
    });
    this.#coroutine = coroutine;
    return this.#consequences(turn);
  }

  /** It is not needed any more, or will be replayed. */
  forget(): void {
    this.#coroutine = undefined;
    this.#steps = [];
  }

  /** The local steps that became due since it was last asked. */
  takeSteps(): readonly DueStep[] {
    return this.#steps.splice(0);
  }

  #consequences({ drafts, steps }: Turn): readonly EntryDraft[] {
    this.#steps.push(...steps);
    return drafts.length > 0 || !this.#state.cancelRequested ? drafts : unwound(this.#state, this);
  }

  #definition() {
    return definitionFor(this.#ports.processOf(this.#state.process.id), this.#state);
  }
}
