import { setTimeout as sleep } from 'node:timers/promises';
import type { MsgHdrs } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { type PublishReceipt, parsePubAck } from './pub-ack.ts';

const RETRY_MS = 250;
const MAX_ATTEMPTS = 4;

/**
 * Publishes one message and waits for its acknowledgement. Resolves to undefined when the expected last sequence does
 * not match. Use an `OrderedPublisher` for many messages.
 * @throws ReinsError `bus_unavailable`: the outcome is unknown; `bus_stream_full`, `bus_publish_refused`, and the
 * errors of `Bus.request`
 */
export async function publishWithAck(
  bus: Bus,
  subject: string,
  data: Uint8Array,
  headers?: MsgHdrs,
): Promise<PublishReceipt | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = parsePubAck(await bus.request(subject, data, headers));
    if (outcome.kind === 'stored') return outcome.stored;
    if (outcome.kind === 'conflict') return undefined;
    if (outcome.kind === 'refused') throw new ReinsError({ path: subject, ...outcome.problem });
    if (attempt === MAX_ATTEMPTS)
      throw new ReinsError({ code: 'bus_unavailable', message: outcome.message, path: subject });
    await sleep(RETRY_MS);
  }
}
