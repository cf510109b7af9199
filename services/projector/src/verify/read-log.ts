import { type Bus, orderedReader } from '@reins/bus';
import type { LogItem } from '@reins/store';
import { LogReader } from '../log-reader.ts';
import { LOG_STREAM } from '../start-position.ts';

/** Reads the event log between two sequences, both inclusive. */
export async function readLog(bus: Bus, fromSeq: number, toSeq: number): Promise<LogItem[]> {
  if (toSeq < fromSeq) return [];
  const items: LogItem[] = [];
  const reader = await LogReader.open(bus);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const stream = await orderedReader(bus, {
    stream: LOG_STREAM,
    startSeq: fromSeq,
    onMessage: async (message) => {
      if (message.seq <= toSeq) items.push(await reader.read(message));
      if (message.seq >= toSeq || message.pending === 0) resolve();
    },
  });
  await Promise.race([done, stream.closed]);
  await stream.stop();
  return items;
}
