import { setTimeout as sleep } from 'node:timers/promises';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { directGetBatch } from './direct-get.ts';
import { getFromLeader, lastMessageOn } from './last-message-on.ts';
import type { StoredMessage } from './stored-message.ts';

/** Messages per request, all in memory at the same time. */
const BATCH = 1024;
const LAG_RETRY_MS = 10;
const LAG_RETRIES = 100;

/**
 * Reads all messages of one subject in order, up to the last one that the leader had at the time of the call. Any
 * replica serves the batches; a lagging replica is queried again until it has caught up. Messages that are removed
 * meanwhile are left out.
 * @throws ReinsError `bus_unavailable`
 */
export async function* readSubject(
  bus: Bus,
  stream: string,
  subject: string,
  options: { readonly fromSeq?: number | undefined; readonly batch?: number } = {},
): AsyncGenerator<StoredMessage> {
  const last = await lastMessageOn(bus, stream, subject);
  const count = options.batch ?? BATCH;
  let next = options.fromSeq ?? 1;
  let lagging = 0;
  while (last && next <= last.seq) {
    if (next === last.seq) return yield last;
    const batch = await directGetBatch(bus, { stream, subject, fromSeq: next, count });
    for (const message of batch) {
      next = message.seq + 1;
      yield message;
    }
    if (next > last.seq || batch.length === count) continue;
    const left = await getFromLeader(bus, stream, { seq: next, next_by_subj: subject });
    if (!left || left.seq > last.seq) return;
    if (++lagging > LAG_RETRIES) throw replicaLags(stream, subject);
    await sleep(LAG_RETRY_MS);
  }
}

const replicaLags = (stream: string, subject: string): ReinsError =>
  new ReinsError({ code: 'bus_unavailable', message: `a replica of ${stream} lags behind its leader`, path: subject });
