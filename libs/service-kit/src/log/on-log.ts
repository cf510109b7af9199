import 'reflect-metadata';
import type { BusMessage, ReaderGap, StreamName, StreamPosition } from '@reins/bus';
import type { MetricDefinition } from '../metrics/metrics.ts';

/** Where a handler starts to read, and what it does with the messages until the next start. */
export interface LogStart {
  readonly from: StreamPosition | 'new';
  /** Rejects when a received message cannot be handled. Then the stream is read again from a new start. */
  readonly failed?: Promise<never>;
  /** Called when no more messages arrive. Resolves when all received ones are handled. */
  readonly settled?: () => Promise<void>;
}

/** Reading a stream from one start to the next. It ends with a restart, an error or the service. */
export interface LogReading {
  /** Creation time of the stream; empty before the first message. */
  readonly created: string;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Resolves when the reading ends. */
  readonly ended: Promise<void>;
  /** Ends the reading, and starts the next one at once. */
  restart(): void;
  /** Counts a gap that the handler found itself. */
  countGap(reason: string): void;
}

/** A position in the bucket `positions`. Without one, the handler starts with new messages. */
export interface SavedPosition {
  readonly key: string;
  /** The most events that are handled concurrently. Those of one run are handled in order. */
  readonly concurrency: number;
}

/** How the messages of a stream are read. `H` is the class of the handler. */
export interface LogOptions<H> {
  readonly filters?: readonly string[];
  /**
   * Where the handler starts: with new messages, at its saved position, or where a method says. That method is called
   * for each start.
   */
  readonly position: 'new' | SavedPosition | ((handlers: H, reading: LogReading) => Promise<LogStart>);
  /** Counts the gaps, by reason. */
  readonly gaps: MetricDefinition;
  /** Whether messages are erased from the stream on purpose. Then missing ones are not a gap. Default: false. */
  readonly erasesMessages?: boolean;
  /** Called for a gap. Reading continues after it, unless the handler restarts. */
  readonly onGap?: (handlers: H, gap: ReaderGap, reading: LogReading) => void;
  /** Called whenever messages may have been missed: at a start, at a gap, and when the reading has ended. */
  readonly onMissed?: (handlers: H) => void;
  /** Whether the service is ready only while it reads the stream. Default: false. */
  readonly requiredForReadiness?: boolean;
}

/** A promise delays the next message, and an error starts the reading again. */
export type LogHandler = (message: BusMessage, reading: LogReading) => void | Promise<void>;

/** A stream and the options of its handler. */
export interface LogRegistration {
  readonly stream: StreamName;
  readonly options: LogOptions<object>;
}

const REGISTRATION = Symbol('reins.on-log');

/**
 * Makes a method the handler of all messages of a stream, in order. A method with another signature does not compile.
 * `LogReaders` finds the method and calls it from the start of the service until its end.
 */
export function OnLog<H extends object>(
  stream: StreamName,
  options: LogOptions<H>,
): <M extends LogHandler>(target: H, key: string | symbol, descriptor: TypedPropertyDescriptor<M>) => void {
  return (_target, _key, { value }) => {
    Reflect.defineMetadata(REGISTRATION, { stream, options }, value as object);
  };
}

/** What `@OnLog` says about a method; undefined for other methods. */
export const registrationOf = (method: object): LogRegistration | undefined =>
  Reflect.getMetadata(REGISTRATION, method);
