import type { JsonObject, RunAddress } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { VerifyReport } from '@reins/projector';

/** A message of EVENTS, as a plain client reads it. */
export interface LoggedEvent {
  readonly seq: number;
  readonly subject: string;
  /** When the server stored it, in milliseconds since the epoch. */
  readonly storedAt: number;
  /** `ce-id` */
  readonly id: string;
  /** The event type; of a signal, its phase (`agent.handoff`). */
  readonly type: string;
  readonly requestId: string;
  /** The header `reins-version`. Only events that follow from a journal have it. */
  readonly version: number | undefined;
  /** The event body; undefined when it is not JSON. */
  readonly body: JsonObject | undefined;
}

/** The journal of a run, as stored in the stream. */
export interface RunJournal {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  /** When the server stored each entry, in milliseconds since the epoch. */
  readonly storedAt: readonly number[];
  /** By hash: the entries that reference blobs, with the blobs inlined. */
  readonly inlined: ReadonlyMap<string, Entry>;
  /** The epochs of its commits, in order. */
  readonly epochs: readonly number[];
  /** The error, if the journal cannot be read. */
  readonly unreadable?: string;
}

export interface DurableState {
  readonly stream: string;
  readonly durable: string;
  /** Number of messages that are not delivered yet; `unacknowledged` counts delivered ones. */
  readonly pending: number;
  readonly unacknowledged: number;
}

export interface DeadMessage {
  readonly subject: string;
  /** The code of the error; empty when it cannot be read. */
  readonly code: string;
  readonly problem: string;
}

/** The status of a request over HTTP. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly httpStatus: number;
  readonly status: string;
}

/** Everything that is visible from outside when the system is quiescent. */
export interface Evidence {
  /** In log order. */
  readonly events: readonly LoggedEvent[];
  /** By run id. */
  readonly journals: ReadonlyMap<string, RunJournal>;
  readonly durables: readonly DurableState[];
  /** Subjects of messages that are still in the inbox. */
  readonly inbox: readonly string[];
  readonly dead: readonly DeadMessage[];
  readonly seen: readonly LoggedRequest[];
  readonly projection: VerifyReport;
}
