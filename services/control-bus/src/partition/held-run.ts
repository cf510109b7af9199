import { type Failures, type HeldMessage, NO_FAILURES } from '@reins/bus';
import {
  isObject,
  isReinsError,
  type ParkedRun,
  type Problem,
  parseInboxSubject,
  parseJson,
  type RunAddress,
} from '@reins/contracts';
import { RunNotStarted } from '../run/lifecycle/run-errors.ts';

/**
 * `due`: to be tried; `waiting`: for a message that starts the run; `resting`: until its next try; `closed`: no message
 * is held any more.
 */
type HeldStatus = 'due' | 'waiting' | 'resting' | 'closed';

/** Why a message is held; undefined: its run is held already, or the message has no place in memory. */
export type HoldReason = 'waits' | 'full' | Problem | undefined;

/** A run whose messages are held, in its owner's memory. */
export interface HeldRun {
  readonly run: RunAddress;
  status: HeldStatus;
  /** Whether it is in the queue of runs to try, or is tried now. */
  isQueued: boolean;
  /** Messages that are being stored, and the number of stored ones. */
  adding: number;
  added: number;
  /** Whether a message that starts or ends the run is held and was not tried yet. */
  isStartHeld: boolean;
  /** How often it was released. A try that began before a release does not decide what the run waits for. */
  releases: number;
  /** Messages that were read and not handled yet. */
  batch: readonly HeldMessage[];
  /** Whether a message was stored that may go before those of the batch. Then they are read again. */
  isOvertaken: boolean;
  /** Whether the handling of a message goes on after its time limit. The run is tried again when it ends. */
  isHanging: boolean;
  /** The failures of its first message. */
  failures: Failures;
  parked: ParkedRun | undefined;
  /** Held messages up to this sequence may have crashed an earlier owner. */
  suspectUntil: number;
  /** Only its signals are held: the run keeps as many as it may. */
  isFull: boolean;
  /** Tries in a row that found no space for another signal. */
  fullTries: number;
  cancelRetry: () => void;
}

export const newHeldRun = (run: RunAddress): HeldRun => ({
  run,
  status: 'due',
  isQueued: false,
  adding: 0,
  added: 0,
  isStartHeld: false,
  releases: 0,
  batch: [],
  isOvertaken: false,
  isHanging: false,
  failures: NO_FAILURES,
  parked: undefined,
  suspectUntil: 0,
  isFull: false,
  fullTries: 0,
  cancelRetry: () => {},
});

/** Messages that start or end a run do not wait behind others. */
export const startsOrEnds = (type: string | undefined): boolean =>
  type === 'command.run.submit' || type === 'command.run.cancel' || type === 'command.run.halt';

export const isSignal = (type: string | undefined): boolean => type === 'command.signal';

/** The event type of an inbox message. */
export const typeOf = ({ subject }: Pick<HeldMessage, 'subject'>): string | undefined =>
  parseInboxSubject(subject)?.type;

/** The highest sequence of these held copies; 0 if there are none. */
export const lastHeldSeq = (messages: readonly HeldMessage[]): number =>
  messages.reduce((last, { heldSeq }) => Math.max(last, heldSeq), 0);

/** Messages that go before signals: an operator who pauses or resumes a run does not wait for a burst of them. */
export const overtakesSignals = (type: string | undefined): boolean =>
  type === 'command.run.pause' || type === 'command.run.resume';

/**
 * The message that starts the run comes first: all others may wait for it. Then come those that end the run. Pauses and
 * resumptions go before signals, but not before other messages: they may depend on a command that was sent earlier.
 */
export function inOrder(messages: readonly HeldMessage[]): HeldMessage[] {
  const first = messages.filter((message) => startsOrEnds(typeOf(message)));
  const submitsFirst = first.toSorted((a, b) => Number(isSubmit(b)) - Number(isSubmit(a)));
  const others: HeldMessage[] = [];
  let signals: HeldMessage[] = [];
  for (const message of messages) {
    const type = typeOf(message);
    if (startsOrEnds(type)) continue;
    if (isSignal(type)) signals.push(message);
    else if (overtakesSignals(type)) others.push(message);
    else {
      others.push(...signals, message);
      signals = [];
    }
  }
  return [...submitsFirst, ...others, ...signals];
}

const isSubmit = (message: HeldMessage): boolean => typeOf(message) === 'command.run.submit';

/** The name of a signal; an empty name if its body is stored as a blob; undefined for other messages. */
export function signalNameOf(message: Pick<HeldMessage, 'subject' | 'data'>): string | undefined {
  if (!isSignal(typeOf(message))) return undefined;
  const body = parseJson(message.data);
  return isObject(body) && typeof body.name === 'string' ? body.name : '';
}

/** Why a message that failed with this error is held; undefined when it is retried in its place. */
export function holdReasonOf(error: unknown): HoldReason {
  if (error instanceof RunNotStarted) return 'waits';
  return isSignalsFull(error) ? 'full' : undefined;
}

export const isSignalsFull = (error: unknown): boolean => isReinsError(error) && error.code === 'signals_full';
