import {
  type BlobRef,
  type ErrorCode,
  type ErrorInfo,
  isReinsError,
  type JsonValue,
  problemOf,
  ReinsError,
} from '@reins/contracts';
import type { CoroutineOptions, DueStep } from '@reins/replay';
import { FrameReader, frameOf } from '../protocol/frames.ts';
import type { FromChild, Loaded, ToChild, TurnMessage } from '../protocol/messages.ts';
import { closed } from './slots.ts';
import { type ChildPlace, type SpawnedChild, spawnChild } from './spawn.ts';
import { errorOf, isOfProcess, isOfTurn, messageOf } from './untrusted.ts';
import { Waiting } from './waiting.ts';

export interface ChildLimits {
  /** Limit of the heap in megabytes. Buffers and the program itself have a separate limit. */
  readonly memoryMb: number;
  /** Time limit for a turn in milliseconds. */
  readonly turnMs: number;
  /** Limit of the bytes that it may send in a turn, including its console. */
  readonly maxTurnBytes: number;
}

export interface ChildListener {
  /** Receives a line of the console, without control characters. */
  console(text: string): void;
  /** Receives a file of a task. @param path relative to the run directory · @throws ReinsError that kills the child */
  file(path: string, content: string): void;
  /** Loads a value. A rejection with `process_crashed` kills the child. */
  readonly loadValue: CoroutineOptions['loadValue'] | undefined;
}

type Stepped = Awaited<ReturnType<DueStep['run']>>;

/** Time limit for the start of a child on a busy machine, in milliseconds. */
const START_MS = 30_000;
/** A step ends itself at its timeout. After this extra time the child is killed. */
const STEP_GRACE_MS = 1000;
/** Node.js treats longer times as zero. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const GONE_MS = 2000;
const STDERR_BYTES = 16 * 1024;
/** How many values a child may request before it has read the earlier ones. A process requests one at a time. */
const MAX_LOADS = 4;
/** How many console lines a turn may print. */
const MAX_LINES = 10_000;
/** Control characters, which a terminal could interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * One child process. It handles one request at a time, and any number of steps concurrently. It is killed after the
 * first error.
 */
export class SandboxChild {
  /** Resolves when the child process has ended. Never rejects. */
  readonly gone: Promise<void>;
  readonly #spawned: SpawnedChild;
  readonly #limits: ChildLimits;
  readonly #listener: ChildListener;
  readonly #steps = new Map<string, Waiting<Stepped>>();
  #request: Waiting<FromChild> | undefined;
  #failure: ReinsError | undefined;
  #stderr = '';
  /** Error codes that the owner sent to the child, so the child may return them. */
  readonly #sent = new Set<string>();
  /** Bytes and console lines that it sent since the last request. */
  #received = 0;
  #lines = 0;
  #loads = 0;

  private constructor(spawned: SpawnedChild, limits: ChildLimits, listener: ChildListener) {
    this.#limits = limits;
    this.#listener = listener;
    this.#spawned = spawned;
    this.gone = this.#watch();
  }

  /** @throws ReinsError `sandbox_unavailable` */
  static async start(place: ChildPlace, limits: ChildLimits, listener: ChildListener): Promise<SandboxChild> {
    return SandboxChild.of(spawnChild(place, limits.memoryMb), limits, listener);
  }

  /** Wraps a spawned process. @throws ReinsError `sandbox_unavailable` when it does not report that it is ready */
  static async of(spawned: SpawnedChild, limits: ChildLimits, listener: ChildListener): Promise<SandboxChild> {
    const child = new SandboxChild(spawned, limits, listener);
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
    this.#send(message);
    return (await this.#expect('loaded', this.#limits.turnMs)) as FromChild & { readonly type: 'loaded' };
  }

  async turn(messages: readonly ToChild[], deadlineMs = this.#limits.turnMs): Promise<TurnMessage> {
    for (const message of messages) this.#send(message);
    const { turn } = (await this.#expect('turn', deadlineMs)) as FromChild & { readonly type: 'turn' };
    return turn;
  }

  /** Runs one attempt at a step. Rejects only when the child is lost. */
  async step({ effectId, timeoutMs }: Pick<DueStep, 'effectId' | 'timeoutMs'>): Promise<Stepped> {
    if (this.#failure) throw this.#failure;
    const waiting = new Waiting<Stepped>();
    this.#steps.set(effectId, waiting);
    this.#send({ type: 'step', effectId });
    try {
      return await waiting.within(Math.min(timeoutMs + STEP_GRACE_MS, LONGEST_TIMER_MS), () =>
        this.#fail(timedOut('a step', timeoutMs)),
      );
    } finally {
      this.#steps.delete(effectId);
    }
  }

  /** Kills the child, even while it is working. */
  async kill(): Promise<void> {
    this.#fail(closed());
    await this.gone;
  }

  /** Ends an idle child. */
  async close(): Promise<void> {
    this.#failure ??= closed();
    this.#spawned.input.end();
    const late = setTimeout(() => this.#spawned.process.kill('SIGKILL'), GONE_MS);
    await this.gone;
    clearTimeout(late);
  }

  #showLine(text: string): void {
    this.#lines += 1;
    if (this.#lines <= MAX_LINES) this.#listener.console(text.replaceAll(CONTROL, '\ufffd'));
    else if (this.#lines === MAX_LINES + 1) this.#listener.console('further lines of this turn were dropped');
  }

  /** @param onRead called when the child has read the message, or never will */
  #send(message: ToChild, onRead: () => void = () => undefined): void {
    if (this.#spawned.input.writable) this.#spawned.input.write(frameOf(message), onRead);
    else onRead();
  }

  async #expect(type: FromChild['type'], deadlineMs: number): Promise<FromChild> {
    if (this.#failure) throw this.#failure;
    this.#request = new Waiting<FromChild>();
    this.#received = 0;
    this.#lines = 0;
    const answer = await this.#request.within(deadlineMs, () => this.#fail(timedOut('a turn', deadlineMs)));
    this.#request = undefined;
    if (answer.type === 'failed') throw errorOf(this.#believed(answer.error, type));
    if (answer.type !== type) this.#fail(crashed(`it answered ${answer.type} in place of ${type}`));
    if (this.#failure) throw this.#failure;
    return answer;
  }

  /** Replaces codes that describe this host. Only the owner may use them, and authored code could have set any code. */
  #believed(error: ErrorInfo, expected: FromChild['type']): ErrorInfo {
    const mayHave =
      expected === 'loaded' ? isOfProcess(error.code) : isOfTurn(error.code) || this.#sent.has(error.code);
    return mayHave ? error : { ...error, code: 'process_invalid' };
  }

  #receive(json: string): void {
    const message = messageOf(json);
    switch (message.type) {
      case 'console':
        this.#showLine(message.text);
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
        this.#request?.resolve(message);
    }
  }

  async #loadValue({ call, ref }: FromChild & { readonly type: 'load-value' }): Promise<void> {
    this.#loads += 1;
    if (this.#loads > MAX_LOADS) return this.#fail(crashed('it asked for more values than it reads'));
    const answer = await this.#valueOf(ref);
    const read = () => {
      this.#loads -= 1;
    };
    if (answer) this.#send({ type: 'value', call, ...answer }, read);
  }

  async #valueOf(ref: BlobRef): Promise<{ value: JsonValue } | { error: ErrorInfo } | undefined> {
    const { loadValue } = this.#listener;
    try {
      if (!loadValue) throw new Error('the value is stored outside of the journal, and there is no loader for it');
      return { value: await loadValue(ref) };
    } catch (error) {
      if (isReinsError(error) && error.code === 'process_crashed') return void this.#fail(error);
      const unknown = { code: 'journal_unavailable', message: (error as Error).message } as const;
      const info: ErrorInfo = isReinsError(error) ? { ...problemOf(error) } : unknown;
      this.#sent.add(info.code);
      return { error: info };
    }
  }

  /** Kills the child. Its later messages are ignored. */
  #fail(error: ReinsError): void {
    this.#failure ??= error;
    this.#spawned.process.kill('SIGKILL');
    this.#request?.reject(this.#failure);
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
      this.#received += chunk.length;
      if (this.#received > this.#limits.maxTurnBytes) this.#fail(tooLarge(this.#limits.maxTurnBytes));
      else frames.push(chunk);
    });
    process.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_BYTES);
    });
    for (const pipe of [input, output]) pipe.on('error', () => undefined); // `gone` resolves then.
    const { promise, resolve } = Promise.withResolvers<void>();
    let hasEnded = false;
    const over = (code: number | null, signal: string | null) => {
      if (hasEnded) return;
      hasEnded = true;
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
      this.#fail(isReinsError(error) ? error : crashed(String(error)));
    }
  }

  #ended(code: number | null, signal: string | null): ReinsError {
    if (/out of memory|allocation failed|bad_alloc|node::Realloc/i.test(this.#stderr)) {
      const message = `the process exceeded its memory limit of ${this.#limits.memoryMb} MB`;
      return new ReinsError({ code: 'process_out_of_memory', message, hint: 'Pass large values by reference.' });
    }
    return crashed(`it ended with ${signal ?? `code ${code}`}`);
  }
}

function timedOut(what: string, ms: number): ReinsError {
  const code: ErrorCode = 'process_timed_out';
  const hint = 'Move long work into tasks, and wait for their results.';
  return new ReinsError({ code, message: `${what} took more than ${ms} ms`, hint });
}

function tooLarge(bytes: number): ReinsError {
  const hint = 'Pass large values by reference.';
  return new ReinsError({ code: 'process_output_too_large', message: `a turn sent more than ${bytes} bytes`, hint });
}

const crashed = (how: string): ReinsError =>
  new ReinsError({ code: 'process_crashed', message: `the child process was lost: ${how}` });
