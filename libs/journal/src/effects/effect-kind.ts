import type { ErrorInfo, EventOf, EventType, JsonObject, JsonValue, Limits, Usage } from '@reins/contracts';
import type { Directive, RequestedAgain } from '../facts/directives.ts';
import type { FactDraft } from '../facts/fact-draft.ts';
import type { EffectState, RunState } from '../state/run-state.ts';

/**
 * Everything that differs between kinds of effects. Each kind has one file in this folder, and one line in
 * `effect-kinds.ts`. All members are pure.
 */
export interface EffectKind {
  readonly facts: EffectFacts;
  /** The fields of the request that identify the effect in its facts. */
  readonly identity: readonly string[];
  /** Its facts are about one attempt: they have its number, and a failure says whether it is retryable. */
  readonly reportsAttempts?: true;
  /** Fields of its requested fact that are not in the request. The default is the attempt number. */
  readonly requestedFields?: (effect: Pick<EffectState, 'attempt' | 'limits'>, at: string) => JsonObject;
  /** Its worker acts for the user of the run. Its requested fact has the id of that user, and a request cannot. */
  readonly actsForUser?: true;
  /** Facts before its requested fact. */
  readonly before?: (state: RunState, effect: EffectState) => FactDraft[];
  /** Facts that an answer implies in addition to its own. */
  readonly implied?: ImpliedFacts;
  /** The directive that starts it. `again`: why it is requested again; `continue` after a suspension. */
  readonly directive?: (state: RunState, effect: EffectState, again?: RequestedAgain) => Directive;
  /** In a fork: the request fields that its started fact repeats, because a fork does not publish shared requests. */
  readonly sharedStart?: readonly string[];
  /** Publishes its cancellation as a failure: it has no cancelled fact, but others see the work. */
  readonly failsWhenCancelled?: true;
  /** Counts the request in the state of the run. */
  readonly count?: (state: RunState, request: JsonObject) => void;

  readonly resolvedBy: ResolvedBy;
  /** The limits, unless the process sets others. */
  readonly limits: Limits;
  readonly deadline: DeadlineRule;
  /** Set if the run is suspended while it waits for the effect. */
  readonly suspension?: SuspendingWait;
  /** Who has to stop when the effect is cancelled or times out. */
  readonly stop?: 'host' | 'child';

  /** The rules for the fields of a request that has no requested fact. */
  readonly requestRules?: Readonly<Record<string, RequestRule>>;
  /** The call of the process API that builds the request. */
  readonly call?: string;
  /** The request has the definition of a task, whose kind is known only to workers. */
  readonly hasDefinition?: true;
  /** Its part in the run of a stage. */
  readonly stageWork?: 'preparation' | 'run';
  /** The name of the signal that resolves it. */
  readonly awaitedSignal?: (request: JsonObject) => string;
  /** Changes to the request for a later attempt, after the effect was invalidated. */
  readonly requestForAttempt?: (request: JsonObject, attempt: number) => JsonObject;
  /** The fields of its completed fact for a posted value; by default the value itself. */
  readonly completedValue?: (value: JsonValue, facts: JsonObject | undefined) => JsonValue;
  /** Set if babysitter journals can contain effects of this kind. */
  readonly foreign?: ForeignWork;
}

/** The event types of its facts. A kind has no fact for a transition whose member is absent. */
interface EffectFacts {
  readonly requested?: EventType;
  readonly claimed?: EventType;
  /** A step of its preparation. */
  readonly progress?: EventType;
  readonly started?: EventType;
  /** It asks the user a question. */
  readonly question?: EventType;
  readonly completed?: EventType;
  readonly failed?: EventType;
  readonly cancelled?: EventType;
}

/**
 * What ends an effect. `worker`: the answer of a service of Reins · `post`: a result that a person or a worker outside
 * of Reins posts · `decision`: a person's decision · `child`: the end of another run · `time` · `signal` · `owner`: the
 * owner of the run does the work itself, so it has no facts.
 */
export type ResolvedBy = 'worker' | 'post' | 'decision' | 'child' | 'time' | 'signal' | 'owner';

/**
 * When an effect is due. `worker`: by its limits, for each step that the worker reports · `run`: at the end of
 * `runForMs` · `expiry` and `wake`: at the `expiresAt` of its request; then it fails or resolves · `none`: the code
 * that does the work enforces the limits.
 */
export type DeadlineRule = 'worker' | 'run' | 'expiry' | 'wake' | 'none';

interface ImpliedFacts {
  readonly started: (value: JsonObject) => FactDraft[];
  readonly completed: (effect: EffectState, value: JsonObject) => FactDraft[];
  /** The usage of an attempt that failed or asks a question. */
  readonly used: (effect: EffectState, usage: Usage | undefined) => FactDraft[];
}

/** How a run is suspended by an effect. */
interface SuspendingWait {
  readonly reason: EventOf<'runtime.request.waiting'>['reason'];
  /** What the run waits for, in words; empty if nothing is known about it. */
  readonly message: (request: JsonObject) => string;
  /** Why the run continues when the effect is resolved. Undefined if another entry publishes that fact. */
  readonly resumedBecause: (status: 'ok' | 'error') => string | undefined;
  /** More about the effect in the directive that suspends the run. */
  readonly directiveExtra?: (effect: EffectState) => JsonObject;
  /** The error of an effect whose wait expired. */
  readonly expired?: (request: JsonObject) => ErrorInfo;
}

/** A requirement of a field, in words and as a check. */
export type RequestRule = readonly [requirement: string, isValid: (value: JsonValue | undefined) => boolean];

/**
 * How a request of this kind looks in a journal of babysitter. Such a journal has the arguments of its requests, but no
 * hash of them.
 */
interface ForeignWork {
  /** The task id of babysitter's built-in call. */
  readonly taskId?: string;
  /** Requests are the same work if this is equal. */
  readonly identity: (request: JsonObject) => JsonValue | undefined;
  /** The arguments of a request of this process. */
  readonly args: (request: JsonObject) => JsonValue;
  /** The arguments of a recorded request, if they differ in form; undefined where the other system lost them. */
  readonly recordedArgs?: (request: JsonObject) => JsonValue | undefined;
}
