import { Blobs, type Bus, type BusMessage, inline, parseReference } from '@reins/bus';
import { isReinsError, isRetryable, problemOf } from '@reins/contracts';
import { type LogItem, readLogMessage, unreadableMessage } from '@reins/store';

/** Reads messages of the event log, including those whose body is in the blob store. */
export class LogReader {
  readonly #blobs: Blobs;

  private constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  static async open(bus: Bus): Promise<LogReader> {
    return new LogReader(await Blobs.open(bus));
  }

  /** Reads a message; synchronously if it contains its body. */
  read(message: BusMessage): LogItem | Promise<LogItem> {
    return parseReference(message.data) ? this.#readReferenced(message) : readLogMessage(message);
  }

  /** @throws when the blob store is unreachable; a missing body makes the message unreadable */
  async #readReferenced(message: BusMessage): Promise<LogItem> {
    try {
      return readLogMessage(message, await inline(this.#blobs, message.data));
    } catch (error) {
      if (!isReinsError(error) || isRetryable(error.code)) throw error;
      return { unreadable: unreadableMessage(message, problemOf(error)) };
    }
  }
}
