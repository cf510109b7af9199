import type { JsonObject, JsonValue, Limits } from '@reins/contracts';

/**
 * What a process has instead of the world. Everything that it learns from here is recorded in the run's journal and is the same
 * when the journal is replayed. A promise that waits for an effect stays pending while the effect does; nothing is thrown that a
 * process could swallow by accident.
 */
export interface ProcessContext {
  readonly runId: string;
  /**
   * What the run's creator said beside its inputs: of a request `attachments`, `model`, `thinkingValue`, `stages` and `metadata`, of a run
   * directory what `run:create` was told (`prompt` …). Empty when that was nothing.
   */
  readonly request: JsonObject;

  /**
   * The low-level door: asks for an effect of a kind of the catalogue, and resolves with the value of its answer.
   * @param request the fields of the kind's requested fact
   * @throws EffectError when the effect resolved as an error · CancelledError when it, its scope or the run was cancelled
   */
  effect(kind: string, request: JsonObject, options?: EffectOptions): Promise<JsonValue>;

  /**
   * Work that someone outside does, described by a task definition. Resolves with the posted value; a `shell` task whose error was
   * posted resolves with `{ success: false, … }` instead of rejecting.
   */
  task<Args extends JsonValue | undefined>(
    task: DefinedTask<Args>,
    args: Args,
    options?: InvocationOptions,
  ): Promise<JsonValue>;

  /** A question to a person. Resolves with whatever was answered; a rejection is an answer with `approved: false`. */
  breakpoint(payload: JsonObject, options?: BreakpointOptions): Promise<JsonValue>;

  /** Suspends the run until then, at no cost. A time that has passed returns at once and leaves no effect. */
  sleepUntil(when: string | number | Date, options?: { readonly label?: string }): Promise<void>;

  /** Work for the agent that orchestrates this run. */
  orchestratorTask(payload: JsonValue, options?: InvocationOptions): Promise<JsonValue>;

  /** Runs the hooks of this type, once per run and not again on replay. Does not reject unless `throwOnFailure`. */
  hook(type: string, payload: JsonValue, options?: HookOptions): Promise<JsonValue>;

  /** Waits for a named external event. One that came before the process asked is not lost. */
  signal(name: string, options?: SignalOptions): Promise<JsonValue>;

  /**
   * A durable local effect: the function runs in this process, and its result is recorded. At least once: a crash between
   * the two runs it again, under the same attempt.
   */
  step<T extends JsonValue>(name: string, work: () => Promise<T> | T, options?: StepOptions): Promise<T>;

  /** Another run inside this one, of a process by its id. Resolves with its output. */
  child(process: string, inputs: JsonValue, options?: InvocationOptions): Promise<JsonValue>;

  /** As `child`, in the form in which existing processes know it. */
  subprocess(request: SubprocessRequest): Promise<{ readonly runId: string; readonly output: JsonValue }>;

  readonly parallel: Parallel;

  /** The time at which the entry was recorded that the process reacts to now. It does not move while the process runs. */
  now(): Date;
  /** From 0 to 1, the same in every replay. */
  random(): number;
  /** A version 4 UUID, the same in every replay. */
  uuid(): string;

  /** A line in the run's journal. */
  log(message: JsonValue): void;
  log(label: string, message: JsonValue): void;

  /** Ends the run here, on purpose and well. It has ended even where the exception that unwinds the process is caught. */
  halt(reason: string, payload?: JsonObject): never;

  /** Ends this turn of a run without end: the process starts anew in the same run with these inputs, and nothing of before is replayed. */
  continueAsNew(inputs: JsonValue): never;

  /** Runs when the process has ended, however it did: the last one registered first. May ask for effects even in a cancelled run. */
  onCleanup(work: () => Promise<void> | void): void;

  /**
   * Whether this run goes the new way at a place where the process was changed: true for runs that come here for the first
   * time, false for those that came here under the code before the change.
   */
  patched(id: string): boolean;

  /** Everything asked for within can be cancelled together. Resolves or rejects as the work does. */
  scope<T>(work: (scope: CancellationScope) => Promise<T>): Promise<T>;

  /** A part that is finished even when the run is cancelled. */
  shield<T>(work: () => Promise<T>): Promise<T>;
}

export interface InvocationOptions {
  /**
   * The identity of this call within the run. Two calls with one key are one effect. Without a key the identity follows from the
   * kind, the label and the shape of the arguments, and from how often they occurred before.
   */
  readonly key?: string;
  /** For people. */
  readonly label?: string;
}

export interface EffectOptions extends InvocationOptions {
  readonly limits?: Partial<Limits>;
}

/** A kind of work, in the form in which existing processes define it. */
export interface DefinedTask<Args> {
  readonly id: string;
  /** The description of the work; its `kind` says who does it. */
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
  /** By when somebody must have answered. */
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
  /** After this the promise rejects with an EffectError `signal_timeout`. */
  readonly deadline?: string | number | Date;
}

export interface StepOptions {
  readonly key?: string;
  /** 1 = no second try. Default 3. */
  readonly maxAttempts?: number;
  /** Of one attempt. Default 60 s. */
  readonly timeoutMs?: number;
  /** Before the second attempt; doubled for each further one. Default 1 s. */
  readonly backoffMs?: number;
  /** No wait between attempts is longer. Default 60 s. */
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
  /** Rejects everything that is pending in this scope and tells whoever works on it to stop. */
  cancel(reason: string): void;
}

export interface Parallel {
  /** All results in order, as `Promise.all`; with a bound, no more thunks run at a time than that. */
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
