import { type Bus, type BusMessage, openBucket, positionOf, type StreamPosition, type TypedBucket } from '@reins/bus';
import { parseEventSubject } from '@reins/contracts';
import type { LogHandler, LogReading, LogStart, SavedPosition } from './on-log.ts';

const SAVE_INTERVAL_MS = 1_000;

/** An event that is being handled. */
interface PendingEvent {
  /** The position after the event that was read before it. */
  readonly before: StreamPosition | undefined;
}

/**
 * Starts at the saved position, and saves it once a second and at the end. The handler is called for events of one run
 * in order, for different runs concurrently.
 */
export async function startAtSavedPosition(
  bus: Bus,
  { key, concurrency }: SavedPosition,
  handle: LogHandler,
  reading: LogReading,
): Promise<LogStart & { readonly take: LogHandler }> {
  const positions = await openBucket<StreamPosition>(bus, 'positions');
  const saved = (await positions.get(key))?.value;
  const events = new ConcurrentEvents(handle, concurrency, saved, reading);
  const save = (): Promise<void> => savePosition(positions, key, events.position);
  const saving = setInterval(() => void save().catch(() => {}), SAVE_INTERVAL_MS);
  void reading.ended.then(() => clearInterval(saving));
  return { from: saved ?? 'new', failed: events.failed, settled: save, take: (message) => events.take(message) };
}

async function savePosition(
  positions: TypedBucket<StreamPosition>,
  key: string,
  position: StreamPosition | undefined,
): Promise<void> {
  if (position) await positions.put(key, position);
}

/** Handles the events of each run in order, and those of different runs concurrently. */
class ConcurrentEvents {
  readonly #handle: LogHandler;
  readonly #concurrency: number;
  readonly #reading: LogReading;
  /** The last event of each run that has pending ones. */
  readonly #runs = new Map<string, Promise<void>>();
  /** In the order of the log. */
  readonly #pending = new Set<PendingEvent>();
  readonly #failed = Promise.withResolvers<never>();
  #lastRead: StreamPosition | undefined;
  #slotFreed = Promise.withResolvers<void>();

  constructor(handle: LogHandler, concurrency: number, lastRead: StreamPosition | undefined, reading: LogReading) {
    this.#handle = handle;
    this.#concurrency = concurrency;
    this.#reading = reading;
    this.#lastRead = lastRead;
    this.#failed.promise.catch(() => {});
    void reading.ended.then(() => this.#slotFreed.resolve());
  }

  /** Rejects with the error of the handler. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** The position before the oldest pending event. */
  get position(): StreamPosition | undefined {
    const [oldest] = this.#pending;
    return oldest === undefined ? this.#lastRead : oldest.before;
  }

  /** A returned promise resolves when there is room for another event, or the reading ends. */
  take(message: BusMessage): void | Promise<void> {
    const pending = { before: this.#lastRead };
    this.#lastRead = positionOf(this.#reading.created, message);
    const run = parseEventSubject(message.subject)?.requestId ?? message.subject;
    const previous = this.#runs.get(run);
    const handled = previous
      ? previous.then(() => this.#handle(message, this.#reading))
      : this.#handle(message, this.#reading);
    if (!handled) return;
    this.#pending.add(pending);
    const done = handled.then(
      () => this.#done(pending),
      (error: unknown) => this.#failed.reject(error),
    );
    this.#runs.set(run, done);
    void done.then(() => {
      if (this.#runs.get(run) === done) this.#runs.delete(run);
    });
    return this.#pending.size < this.#concurrency ? undefined : this.#slotFreed.promise;
  }

  #done(pending: PendingEvent): void {
    this.#pending.delete(pending);
    this.#slotFreed.resolve();
    this.#slotFreed = Promise.withResolvers<void>();
  }
}
