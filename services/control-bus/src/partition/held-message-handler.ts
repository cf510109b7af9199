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
import { RunNotStarted } from '../run/run-not-started.ts';
import { type HeldRun, isSignalsFull } from './held-run.ts';
import type { InboxMessage } from './partition-ports.ts';

/** How a partition handles the messages of a held run. */
export interface MessageHandler {
  /** Lets the run react to a message. @returns whether the run has ended */
  readonly handle: (message: InboxMessage) => Promise<boolean>;
  /** Lets the run react to a message that is dead-lettered. */
  readonly giveUp: (message: InboxMessage, problem: Problem) => Promise<void>;
}

export interface HeldMessageHandlerPorts {
  readonly messages: Pick<HeldMessages, 'deadLetter'>;
  readonly quarantine: Pick<Quarantine, 'admit'>;
}

type Retry = Extract<FailureAction, { kind: 'again' }>;

/**
 * `ended`: handled, and its run has ended; `waits`: its run has not started; `full`: the run keeps as many signals as it
 * may; otherwise why it is tried again.
 */
export type Outcome = 'handled' | 'ended' | 'waits' | 'full' | Retry;

interface Tried {
  readonly hasEnded?: boolean;
  readonly error?: unknown;
}

/** Handles held messages like those of the inbox: failures are retried, dead-lettered or quarantined by the same rules. */
export class HeldMessageHandler {
  readonly #ports: HeldMessageHandlerPorts;
  readonly #handler: MessageHandler;

  constructor(ports: HeldMessageHandlerPorts, handler: MessageHandler) {
    this.#ports = ports;
    this.#handler = handler;
  }

  /** Handles the first message of a run. @throws when a dead letter could not be stored */
  async handle(held: HeldRun, message: HeldMessage): Promise<Outcome> {
    const isSuspect = message.heldSeq <= held.suspectUntil;
    const { error, hasEnded } = isSuspect ? await this.#trySuspect(message) : await this.#try(message);
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

  async #try(message: HeldMessage, clearPoisonSuspicion = async () => {}): Promise<Tried> {
    try {
      return { hasEnded: await this.#handler.handle(asInboxMessage(message, clearPoisonSuspicion)) };
    } catch (error) {
      return { error };
    }
  }

  /** Like a redelivered message of the inbox: it may have crashed the process that handled it. */
  async #trySuspect(message: HeldMessage): Promise<Tried> {
    let tried: Tried = {};
    await this.#ports.quarantine.admit(message.heldSeq, {
      handle: async (clear) => {
        tried = await this.#try(message, clear);
      },
      giveUp: (notify) => this.#deadLetter(message, CRASHED, notify),
    });
    return tried;
  }

  async #deadLetter(message: HeldMessage, problem: Problem, notify: boolean): Promise<void> {
    if (notify) await this.#handler.giveUp(asInboxMessage(message), problem);
    await this.#ports.messages.deadLetter(message, problem);
  }
}

/** It was delivered before, so that its run is loaded. */
const asInboxMessage = (message: HeldMessage, clearPoisonSuspicion = async () => {}): InboxMessage => ({
  ...message,
  deliveries: 2,
  clearPoisonSuspicion,
});
