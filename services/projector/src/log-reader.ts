import { Blobs, type Bus, type BusMessage, inline, parseReference } from '@reins/bus';
import { isReinsError, isRetryable, problemOf } from '@reins/contracts';
import { type LogItem, readLogMessage, unreadableMessage } from '@reins/store';

/** Reads messages of the log, also those whose body lies in the blob store. */
export class LogReader {
  readonly #blobs: Blobs;

  private constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  static async open(bus: Bus): Promise<LogReader> {
    return new LogReader(await Blobs.open(bus));
  }

  /** At once for a body that is in the message. */
  read(message: BusMessage): LogItem | Promise<LogItem> {
    return parseReference(message.data) ? this.#readReferred(message) : readLogMessage(message);
  }

  /** @throws when the blob store cannot be reached; a body that is not there is unreadable */
  async #readReferred(message: BusMessage): Promise<LogItem> {
    try {
      return readLogMessage(message, await inline(this.#blobs, message.data));
    } catch (error) {
      if (!isReinsError(error) || isRetryable(error.code)) throw error;
      return { unreadable: unreadableMessage(message, problemOf(error)) };
    }
  }
}
