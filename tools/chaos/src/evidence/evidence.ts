import type { JsonObject, RunAddress } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { VerifyReport } from '@reins/projector';

/** A message of EVENTS, as any client reads it. */
export interface LoggedEvent {
  readonly seq: number;
  readonly subject: string;
  /** When the server stored it, in milliseconds since the epoch. */
  readonly storedAt: number;
  /** `ce-id` */
  readonly id: string;
  readonly type: string;
  readonly requestId: string;
  /** `reins-version`: only what follows from a journal has one. */
  readonly version: number | undefined;
  /** The flat event; undefined where it is not JSON. */
  readonly body: JsonObject | undefined;
}

/** The journal of a run, as it lies in the stream. */
export interface RunJournal {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  /** By their hash, those that refer to the blobs, with what lies there. */
  readonly whole: ReadonlyMap<string, Entry>;
  /** Of its commits, in order. */
  readonly epochs: readonly number[];
  /** Why it cannot be read, where it cannot. */
  readonly unreadable?: string;
}

export interface DurableState {
  readonly stream: string;
  readonly durable: string;
  /** Not delivered yet, and delivered but not acknowledged. */
  readonly pending: number;
  readonly unacknowledged: number;
}

export interface DeadMessage {
  readonly subject: string;
  readonly problem: string;
}

/** What a request is by HTTP. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly httpStatus: number;
  readonly status: string;
}

/** All that is seen from the outside when everything has come to rest. */
export interface Evidence {
  /** In the order of the log. */
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
