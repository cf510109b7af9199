import { classifyFailure, DEFAULT_RETRY, type FailureAction, type HeldMessage, type HeldMessages, NO_FAILURES, type Quarantine } from '@reins/bus';
import { isReinsError, type Problem } from '@reins/contracts';
import { RunNotStarted } from '../run/run-not-started.ts';
import type { HeldRun } from './held-run.ts';
import type { InboxMessage } from './partition-ports.ts';

/** How a partition handles the messages of a held run. */
export interface MessageHandler {
  /** Lets the run react to a message. */
  readonly handle: (message: InboxMessage) => Promise<void>;
  /** Lets the run react to a message that is dead-lettered. */
  readonly giveUp: (message: InboxMessage, problem: Problem) => Promise<void>;
}

export interface HeldMessageHandlerPorts {
  readonly messages: Pick<HeldMessages, 'deadLetter'>;
  readonly quarantine: Pick<Quarantine, 'admit'>;
}

type Retry = Extract<FailureAction, { kind: 'again' }>;

/** `waits`: its run has not started; `full`: the run keeps as many signals as it may; otherwise why it is tried again. */
export type Outcome = 'handled' | 'waits' | 'full' | Retry;

interface Tried {
  readonly error?: unknown;
}

const CRASHED: Problem = {
  code: 'delivery_crashed',
  message: 'the process crashed every time it handled this message',
};

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
    const { error } = isSuspect ? await this.#trySuspect(message) : await this.#try(message);
    if (error === undefined) return this.#succeeded(held);
    if (error instanceof RunNotStarted) return 'waits';
    if (isReinsError(error) && error.code === 'signals_full') return 'full';
    const action = classifyFailure(error, held.failures, DEFAULT_RETRY);
    if (action.kind === 'again') {
      held.failures = action.failures;
      return action;
    }
    await this.#deadLetter(message, action.problem, true);
    return this.#succeeded(held);
  }

  #succeeded(held: HeldRun): 'handled' {
    held.failures = NO_FAILURES;
    return 'handled';
  }

  async #try(message: HeldMessage, clearPoisonSuspicion = async () => {}): Promise<Tried> {
    try {
      await this.#handler.handle(asInboxMessage(message, clearPoisonSuspicion));
      return {};
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
