import { type Bus, type BusMessage, orderedReader, parseReference } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { LogItem } from '@reins/store';
import { LogReader } from './log-reader.ts';
import { LOG_STREAM } from './start-position.ts';

/** Limits of a batch: memory use does not depend on the length of the log. */
const MAX_BATCH = 5_000;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/** A message of the event log and what it contains. */
export interface ReadMessage {
  readonly item: LogItem;
  readonly message: BusMessage;
}

/** Reads the event log between two sequences, both inclusive, in batches. */
export async function* logBatches(bus: Bus, fromSeq: number, toSeq: number): AsyncGenerator<ReadMessage[]> {
  if (toSeq < fromSeq) return;
  const reader = await LogReader.open(bus);
  let waiting: ReadMessage[] = [];
  let wake = Promise.withResolvers<void>();
  let hasCapacity = Promise.withResolvers<void>();
  let ended = false;
  let bytes = 0;
  const isFull = (): boolean => waiting.length >= MAX_BATCH || bytes >= MAX_BATCH_BYTES;
  const stream = await orderedReader(bus, {
    stream: LOG_STREAM,
    from: fromSeq,
    onMessage: async (message) => {
      if (ended) return;
      if (message.seq <= toSeq) waiting.push({ item: await reader.read(message), message });
      bytes += parseReference(message.data)?.size ?? message.data.length;
      ended = message.seq >= toSeq || message.pending === 0;
      if (ended || isFull()) wake.resolve();
      if (isFull()) await hasCapacity.promise;
    },
  });
  const closed = stream.closed.then((reason) => {
    throw new ReinsError({ code: 'service_unavailable', message: `the reader of the event log ended: ${reason}` });
  });
  closed.catch(() => {});
  try {
    while (!ended || waiting.length > 0) {
      await Promise.race([wake.promise, closed]);
      const batch = waiting;
      waiting = [];
      bytes = 0;
      if (!ended) wake = Promise.withResolvers<void>();
      hasCapacity.resolve();
      hasCapacity = Promise.withResolvers<void>();
      yield batch;
    }
  } finally {
    ended = true;
    hasCapacity.resolve();
    await stream.stop();
  }
}
