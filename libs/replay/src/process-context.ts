import type { JsonObject, JsonValue, Limits } from '@reins/contracts';

/**
 * The API of a process, which replaces direct access to the outside world. All values it returns are recorded in the
 * journal and are the same in every replay. A promise for an effect stays pending while the effect is. Nothing is
 * thrown that a process could swallow by accident.
 */
export interface ProcessContext {
  readonly runId: string;
  /**
   * Metadata that the run's creator gave in addition to the inputs. For a request: `attachments`, `model`,
   * `thinkingValue`, `stages` and `metadata`. For a run directory: the options of `run:create`, such as `prompt`. Empty
   * when none was given.
   */
  readonly request: JsonObject;

  /**
   * Requests an effect of any kind of the catalogue, and resolves with its value. The other methods are easier to use.
   * @param request the fields of the kind's requested fact
   * @throws EffectError when the effect resolved as an error · CancelledError when it, its scope or the run was
   *   cancelled
   */
  effect(kind: string, request: JsonObject, options?: EffectOptions): Promise<JsonValue>;

  /**
   * Requests work that is done outside, described by a task definition. Resolves with the posted value. A `shell` task
   * with a posted error resolves with `{ success: false, … }` instead of rejecting.
   */
  task<Args extends JsonValue | undefined>(
    task: DefinedTask<Args>,
    args: Args,
    options?: InvocationOptions,
  ): Promise<JsonValue>;

  /** Asks a person. Resolves with the answer; a rejection is an answer with `approved: false`. */
  breakpoint(payload: JsonObject, options?: BreakpointOptions): Promise<JsonValue>;

  /** Suspends the run until the given time, at no cost. A time in the past returns immediately and requests no effect. */
  sleepUntil(when: string | number | Date, options?: { readonly label?: string }): Promise<void>;

  /** Requests work from the agent that orchestrates this run. */
  orchestratorTask(payload: JsonValue, options?: InvocationOptions): Promise<JsonValue>;

  /**
   * Runs the hooks of this type once per run, and not again in a replay. Does not reject unless `throwOnFailure` is
   * set.
   */
  hook(type: string, payload: JsonValue, options?: HookOptions): Promise<JsonValue>;

  /** Waits for a named external event. Events that arrived earlier are buffered. */
  signal(name: string, options?: SignalOptions): Promise<JsonValue>;

  /**
   * Runs a function in this process and records its result. At least once: after a crash between the two, it runs again
   * under the same attempt.
   */
  step<T extends JsonValue>(name: string, work: () => Promise<T> | T, options?: StepOptions): Promise<T>;

  /** Starts a child run of a process, by its id. Resolves with its output. */
  child(process: string, inputs: JsonValue, options?: InvocationOptions): Promise<JsonValue>;

  /** Like `child`, in the form of babysitter. */
  subprocess(request: SubprocessRequest): Promise<{ readonly runId: string; readonly output: JsonValue }>;

  readonly parallel: Parallel;

  /** The time of the entry that the process currently reacts to. It does not advance while the process runs. */
  now(): Date;
  /** From 0 to 1, the same in every replay. */
  random(): number;
  /** A version 4 UUID, the same in every replay. */
  uuid(): string;

  /** Adds a log entry to the run's journal. */
  log(message: JsonValue): void;
  log(label: string, message: JsonValue): void;

  /**
   * Ends the run successfully at this point. The run has ended even if the process catches the exception that unwinds
   * it.
   */
  halt(reason: string, payload?: JsonObject): never;

  /**
   * Restarts the process in the same run with these inputs. Earlier entries are not replayed any more, so an endless
   * run stays fast.
   */
  continueAsNew(inputs: JsonValue): never;

  /**
   * Registers a function that runs when the process ends, however it ends; the last one registered runs first. It may
   * request effects even in a cancelled run.
   */
  onCleanup(work: () => Promise<void> | void): void;

  /**
   * Guards a change of the code. True for runs that reach this place for the first time, false for runs that passed it
   * under the old code.
   */
  patched(id: string): boolean;

  /**
   * Groups the effects that work requests, so that they can be cancelled together. Resolves or rejects like the work.
   */
  scope<T>(work: (scope: CancellationScope) => Promise<T>): Promise<T>;

  /** Runs work that finishes even when the run is cancelled. */
  shield<T>(work: () => Promise<T>): Promise<T>;
}

export interface InvocationOptions {
  /**
   * The identity of this call within the run: two calls with one key are one effect. By default it follows from the
   * kind, the label, the shape of the arguments, and a counter of equal calls.
   */
  readonly key?: string;
  /** Shown to users. */
  readonly label?: string;
}

export interface EffectOptions extends InvocationOptions {
  readonly limits?: Partial<Limits>;
}

/** A task as babysitter processes define it. */
export interface DefinedTask<Args> {
  readonly id: string;
  /** Describes the work; its `kind` says who does it. */
  build(args: Args, build: TaskBuildContext): TaskDefinition;
}

export type TaskDefinition = JsonObject & { readonly kind: string };

export interface TaskBuildContext {
  readonly effectId: string;
  readonly invocationKey: string;
  readonly taskId: string;
  readonly runId: string;
  readonly label?: string;
}

export interface BreakpointOptions extends InvocationOptions {
  readonly breakpointId?: string;
  /** When the question expires. */
  readonly expiresAt?: string | number | Date;
  readonly expert?: JsonValue;
  readonly tags?: readonly string[];
  readonly strategy?: 'single' | 'first-response-wins' | 'collect-all' | 'quorum';
  readonly autoApproveAfterN?: number;
  readonly presentAlwaysApprove?: boolean;
}

export interface HookOptions extends InvocationOptions {
  readonly timeout?: number;
  readonly throwOnFailure?: boolean;
}

export interface SignalOptions extends InvocationOptions {
  /** After this time the promise rejects with an EffectError `signal_timeout`. */
  readonly deadline?: string | number | Date;
}

export interface StepOptions {
  readonly key?: string;
  /** 1 means no retry. Default 3. */
  readonly maxAttempts?: number;
  /** Per attempt. Default 60 s. */
  readonly timeoutMs?: number;
  /** Before the second attempt; doubled for each further one. Default 1 s. */
  readonly backoffMs?: number;
  /** The longest wait between attempts. Default 60 s. */
  readonly maxBackoffMs?: number;
}

export interface SubprocessRequest {
  readonly processPath: string;
  readonly exportName?: string;
  readonly processId?: string;
  readonly prompt?: string;
  readonly inputs?: JsonValue;
  readonly metadata?: JsonObject;
}

export interface CancellationScope {
  /** Rejects everything pending in this scope and asks the workers to stop. */
  cancel(reason: string): void;
}

export interface Parallel {
  /** Returns all results in order, like `Promise.all`. `maxConcurrency` limits how many thunks run at a time. */
  all<T>(work: readonly (() => Promise<T> | T)[], options?: ParallelOptions): Promise<T[]>;
  map<I, T>(
    items: readonly I[],
    work: (item: I, index: number) => Promise<T> | T,
    options?: ParallelOptions,
  ): Promise<T[]>;
}

export interface ParallelOptions {
  readonly maxConcurrency?: number;
}
