import type { Bus } from '../connection/bus.ts';
import { directGetLast } from './direct-get.ts';
import type { StoredMessage } from './stored-message.ts';

/** Subjects asked for together: the server answers no more than 1024 at once. */
const BATCH = 512;

/**
 * The last message of each subject that has one, in no order of note: a few hundred with one question. Any replica may answer, so where there
 * are several a message may be one behind.
 * @throws ReinsError `bus_unavailable`
 */
export async function* lastOfEach(
  bus: Bus,
  stream: string,
  subjects: readonly string[],
): AsyncGenerator<StoredMessage> {
  for (let from = 0; from < subjects.length; from += BATCH)
    yield* await directGetLast(bus, stream, subjects.slice(from, from + BATCH));
}
