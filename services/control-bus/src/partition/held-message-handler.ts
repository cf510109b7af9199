import {
  CRASHED,
  classifyFailure,
  DEFAULT_RETRY,
  type FailureAction,
  type HeldMessage,
  type HeldMessages,
  NO_FAILURES,
  type Quarantine,
} from '@reins/bus';
import type { Problem } from '@reins/contracts';
import { RunNotStarted } from '../run/lifecycle/run-errors.ts';
import type { Clock } from './clock.ts';
import { type HeldRun, type HoldReason, isSignalsFull } from './held-run.ts';
import type { InboxMessage } from './inbox.ts';

/** How a partition handles the messages of a held run. */
export interface MessageHandler {
  /** Lets the run react to a message. @returns whether the run has ended */
  readonly handle: (message: InboxMessage) => Promise<boolean>;
  /** Lets the run react to a message that is dead-lettered. */
  readonly giveUp: (message: InboxMessage, problem: Problem) => Promise<void>;
}

export interface HeldMessageHandlerPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly messages: Pick<HeldMessages, 'deadLetter'>;
  readonly quarantine: Pick<Quarantine, 'admit'>;
}

export type Retry = Extract<FailureAction, { kind: 'again' }>;

/** The handling of a message that goes on after its time limit. */
export interface Hanging {
  readonly kind: 'hangs';
  readonly problem: Problem;
  /** Resolves when the handling has ended. */
  readonly ended: Promise<unknown>;
}

/**
 * `ended`: handled, and its run has ended; `waits`: its run has not started; `full`: the run keeps as many signals as it
 * may; otherwise why it is tried again.
 */
export type Outcome = 'handled' | 'ended' | 'waits' | 'full' | Retry | Hanging;

/** Why the next message of a run is not tried at once; undefined: it is. */
export type DelayReason = HoldReason | Retry | Hanging;

/** Whether a try failed, or did not end in time. */
export const isFailure = (reason: DelayReason): reason is Retry | Hanging =>
  typeof reason === 'object' && 'kind' in reason;

interface Tried {
  readonly hasEnded?: boolean;
  readonly error?: unknown;
  /** Set when the handling goes on after its time limit. */
  readonly hanging?: Hanging;
}

/** How long other runs wait for the handling of a message, when no handling hangs yet and when many do. */
const HANDLING_MS = 5_000;
const MIN_HANDLING_MS = 500;

/** Handles held messages like those of the inbox: failures are retried, dead-lettered or quarantined by the same rules. */
export class HeldMessageHandler {
  readonly #ports: HeldMessageHandlerPorts;
  readonly #handler: MessageHandler;
  /** Messages whose handling goes on after its time limit. */
  #hanging = 0;

  constructor(ports: HeldMessageHandlerPorts, handler: MessageHandler) {
    this.#ports = ports;
    this.#handler = handler;
  }

  /** Handles the first message of a run. @throws when a dead letter could not be stored */
  async handle(held: HeldRun, message: HeldMessage): Promise<Outcome> {
    const isSuspect = message.heldSeq <= held.suspectUntil;
    const { error, hanging, hasEnded } = isSuspect ? await this.#trySuspect(message) : await this.#try(message);
    if (hanging) return hanging;
    if (error === undefined) return this.#succeeded(held, hasEnded);
    if (error instanceof RunNotStarted) return 'waits';
    if (isSignalsFull(error)) return 'full';
    const action = classifyFailure(error, held.failures, DEFAULT_RETRY);
    if (action.kind === 'again') {
      held.failures = action.failures;
      return action;
    }
    await this.#deadLetter(message, action.problem, true);
    return this.#succeeded(held);
  }

  #succeeded(held: HeldRun, hasEnded = false): Outcome {
    held.failures = NO_FAILURES;
    return hasEnded ? 'ended' : 'handled';
  }

  /** Each handling that hangs shortens the time limit of the next ones, so many of them delay the others only a little. */
  async #try(message: HeldMessage, clearPoisonSuspicion = async () => {}): Promise<Tried> {
    const limitMs = Math.max(HANDLING_MS / (1 + this.#hanging), MIN_HANDLING_MS);
    const work = this.#react(message, clearPoisonSuspicion);
    const { promise: timeout, resolve } = Promise.withResolvers<Tried>();
    const cancel = this.#ports.clock.after(limitMs, () => resolve({ hanging: hangingOf(message, limitMs, work) }));
    const tried = await Promise.race([work, timeout]);
    cancel();
    if (tried.hanging) {
      this.#hanging += 1;
      void work.then(() => {
        this.#hanging -= 1;
      });
    }
    return tried;
  }

  async #react(message: HeldMessage, clearPoisonSuspicion: () => Promise<void>): Promise<Tried> {
    try {
      return { hasEnded: await this.#handler.handle(asInboxMessage(message, clearPoisonSuspicion)) };
    } catch (error) {
      return { error };
    }
  }

  /** Like a redelivered message of the inbox: it may have crashed the process that handled it. */
  async #trySuspect(message: HeldMessage): Promise<Tried> {
    const { promise, reject, resolve } = Promise.withResolvers<Tried>();
    const admitted = this.#ports.quarantine.admit(message.heldSeq, {
      handle: async (clear) => {
        const tried = await this.#try(message, clear);
        resolve(tried);
        // It can still crash the process.
        await tried.hanging?.ended;
      },
      giveUp: (notify) => this.#deadLetter(message, CRASHED, notify),
    });
    admitted.then(() => resolve({}), reject);
    return promise;
  }

  async #deadLetter(message: HeldMessage, problem: Problem, notify: boolean): Promise<void> {
    if (notify) await this.#handler.giveUp(asInboxMessage(message), problem);
    await this.#ports.messages.deadLetter(message, problem);
  }
}

const hangingOf = ({ subject }: HeldMessage, limitMs: number, ended: Promise<unknown>): Hanging => ({
  kind: 'hangs',
  problem: { code: 'delivery_hangs', message: `${subject} is still being handled after ${Math.round(limitMs)} ms` },
  ended,
});

/** It was delivered before, so that its run is loaded. */
const asInboxMessage = (message: HeldMessage, clearPoisonSuspicion = async () => {}): InboxMessage => ({
  ...message,
  deliveries: 2,
  clearPoisonSuspicion,
});
