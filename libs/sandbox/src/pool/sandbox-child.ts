import { type ErrorCode, type ErrorInfo, isReinsError, type JsonValue, problemOf, ReinsError } from '@reins/contracts';
import type { CoroutineOptions, DueStep } from '@reins/replay';
import { FrameReader, frameOf } from '../protocol/frames.ts';
import type { FromChild, Loaded, ToChild, TurnMessage } from '../protocol/messages.ts';
import { closed } from './slots.ts';
import { type ChildPlace, type SpawnedChild, spawnChild } from './spawn.ts';
import { errorOf, messageOf } from './untrusted.ts';

export interface ChildLimits {
  /** Of the heap; buffers and the program itself come on top, within a bound too. */
  readonly memoryMb: number;
  /** A process that is busy for longer is ended. */
  readonly turnMs: number;
  /** It says no more than this from one turn to the next, its console included. */
  readonly maxTurnBytes: number;
}

export interface ChildListener {
  /** A line that the process wrote to its console. */
  console(text: string): void;
  /** A file that a task keeps. @param path run-relative */
  file(path: string, content: string): void;
  readonly loadValue: CoroutineOptions['loadValue'] | undefined;
}

type Stepped = Awaited<ReturnType<DueStep['run']>>;

/** Starting a child takes this long at most, on a machine that is busy. */
const START_MS = 30_000;
/** A step has its own end; this is for one that does not come to it. */
const STEP_GRACE_MS = 1000;
const GONE_MS = 2000;
const STDERR_BYTES = 16 * 1024;

/** One child process: asked one thing at a time, and steps beside that; gone for good after the first thing that goes wrong. */
export class SandboxChild {
  /** Resolves when the process is gone. Never rejects. */
  readonly gone: Promise<void>;
  readonly #spawned: SpawnedChild;
  readonly #limits: ChildLimits;
  readonly #listener: ChildListener;
  readonly #steps = new Map<string, Waiting<Stepped>>();
  #asked: Waiting<FromChild> | undefined;
  #failure: ReinsError | undefined;
  #stderr = '';
  /** How much it said since it was last asked. */
  #said = 0;

  private constructor(place: ChildPlace, limits: ChildLimits, listener: ChildListener) {
    this.#limits = limits;
    this.#listener = listener;
    this.#spawned = spawnChild(place, limits.memoryMb);
    this.gone = this.#watch();
  }

  /** @throws ReinsError `sandbox_unavailable` */
  static async start(place: ChildPlace, limits: ChildLimits, listener: ChildListener): Promise<SandboxChild> {
    const child = new SandboxChild(place, limits, listener);
    try {
      await child.#expect('ready', START_MS);
    } catch (error) {
      await child.kill();
      const message = `the sandbox did not start: ${(error as Error).message} ${child.#stderr.slice(-500)}`.trim();
      throw new ReinsError({ code: 'sandbox_unavailable', message }, { cause: error });
    }
    return child;
  }

  async load(message: ToChild & { readonly type: 'load' }): Promise<Loaded> {
    this.#tell(message);
    return (await this.#expect('loaded', this.#limits.turnMs)) as FromChild & { readonly type: 'loaded' };
  }

  async turn(messages: readonly ToChild[], deadlineMs = this.#limits.turnMs): Promise<TurnMessage> {
    for (const message of messages) this.#tell(message);
    const { turn } = (await this.#expect('turn', deadlineMs)) as FromChild & { readonly type: 'turn' };
    return turn;
  }

  /** One attempt at a step. Rejects only when the child is lost. */
  async step({ effectId, timeoutMs }: Pick<DueStep, 'effectId' | 'timeoutMs'>): Promise<Stepped> {
    if (this.#failure) throw this.#failure;
    const waiting = new Waiting<Stepped>();
    this.#steps.set(effectId, waiting);
    this.#tell({ type: 'step', effectId });
    try {
      return await waiting.within(timeoutMs + STEP_GRACE_MS, () => this.#fail(timedOut('a step', timeoutMs)));
    } finally {
      this.#steps.delete(effectId);
    }
  }

  /** Ends it, whatever it is busy with. */
  async kill(): Promise<void> {
    this.#fail(closed());
    await this.gone;
  }

  /** Ends one that has nothing to do. */
  async close(): Promise<void> {
    this.#failure ??= closed();
    this.#spawned.input.end();
    const late = setTimeout(() => this.#spawned.process.kill('SIGKILL'), GONE_MS);
    await this.gone;
    clearTimeout(late);
  }

  #tell(message: ToChild): void {
    if (this.#spawned.input.writable) this.#spawned.input.write(frameOf(message));
  }

  async #expect(type: FromChild['type'], deadlineMs: number): Promise<FromChild> {
    if (this.#failure) throw this.#failure;
    this.#asked = new Waiting<FromChild>();
    this.#said = 0;
    const answer = await this.#asked.within(deadlineMs, () => this.#fail(timedOut('a turn', deadlineMs)));
    this.#asked = undefined;
    if (answer.type === 'failed') throw errorOf(answer.error);
    if (answer.type !== type) this.#fail(crashed(`it answered ${answer.type} and not ${type}`));
    if (this.#failure) throw this.#failure;
    return answer;
  }

  #receive(json: string): void {
    const message = messageOf(json);
    switch (message.type) {
      case 'console':
        this.#listener.console(message.text);
        break;
      case 'file':
        this.#listener.file(message.path, message.content);
        break;
      case 'load-value':
        void this.#loadValue(message);
        break;
      case 'stepped':
        this.#steps.get(message.effectId)?.resolve(message.draft);
        break;
      case 'crashed':
        this.#fail(crashed(String(message.message)));
        break;
      default:
        this.#asked?.resolve(message);
    }
  }

  async #loadValue({ call, ref }: FromChild & { readonly type: 'load-value' }): Promise<void> {
    const { loadValue } = this.#listener;
    try {
      if (!loadValue) throw new Error('the value lies outside of the journal, and nothing was given to load it');
      const value: JsonValue = await loadValue(ref);
      this.#tell({ type: 'value', call, value });
    } catch (error) {
      const unknown = { code: 'journal_unavailable', message: (error as Error).message } as const;
      const info: ErrorInfo = isReinsError(error) ? { ...problemOf(error) } : unknown;
      this.#tell({ type: 'value', call, error: info });
    }
  }

  /** Nothing that it says from now on counts. */
  #fail(error: ReinsError): void {
    this.#failure ??= error;
    this.#spawned.process.kill('SIGKILL');
    this.#asked?.reject(this.#failure);
    for (const step of this.#steps.values()) step.reject(this.#failure);
  }

  #watch(): Promise<void> {
    const { process, input, output } = this.#spawned;
    const frames = new FrameReader(
      this.#limits.maxTurnBytes,
      (json) => this.#guarded(() => this.#receive(json)),
      () => this.#fail(tooLarge(this.#limits.maxTurnBytes)),
    );
    output.on('data', (chunk: Buffer) => {
      if (this.#failure) return;
      this.#said += chunk.length;
      if (this.#said > this.#limits.maxTurnBytes) this.#fail(tooLarge(this.#limits.maxTurnBytes));
      else frames.push(chunk);
    });
    process.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_BYTES);
    });
    for (const pipe of [input, output]) pipe.on('error', () => undefined); // `gone` tells.
    const { promise, resolve } = Promise.withResolvers<void>();
    let isOver = false;
    const over = (code: number | null, signal: string | null) => {
      if (isOver) return;
      isOver = true;
      this.#fail(this.#ended(code, signal));
      resolve();
    };
    process.once('error', () => over(null, null));
    process.once('close', over);
    return promise;
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error as ReinsError);
    }
  }

  #ended(code: number | null, signal: string | null): ReinsError {
    if (/out of memory|allocation failed|bad_alloc|node::Realloc/i.test(this.#stderr)) {
      const message = `the process needed more than its ${this.#limits.memoryMb} MB`;
      return new ReinsError({ code: 'process_out_of_memory', message, hint: 'hand large values on by reference' });
    }
    return crashed(`it ended with ${signal ?? `code ${code}`}`);
  }
}

/** Something that was asked for, and comes in time or not at all. */
class Waiting<T> {
  readonly #promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#promise = promise;
    this.resolve = resolve;
    this.reject = reject;
  }

  async within(ms: number, late: () => void): Promise<T> {
    const timer = setTimeout(late, ms);
    try {
      return await this.#promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

function timedOut(what: string, ms: number): ReinsError {
  const code: ErrorCode = 'process_timed_out';
  const hint = 'a process asks for work, and waits for it; it does none itself';
  return new ReinsError({ code, message: `${what} was at work for more than ${ms} ms`, hint });
}

function tooLarge(bytes: number): ReinsError {
  const hint = 'hand large values on by reference';
  return new ReinsError({ code: 'process_output_too_large', message: `a turn said more than ${bytes} bytes`, hint });
}

const crashed = (how: string): ReinsError =>
  new ReinsError({ code: 'process_crashed', message: `the process of the sandbox is lost: ${how}` });
