import { setTimeout as sleep } from 'node:timers/promises';
import type { MsgHdrs } from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { type PublishReceipt, parsePubAck } from './pub-ack.ts';

const LATER_MS = 250;
const TRIES = 4;

/**
 * One publish and its acknowledgement. Undefined: the expected last sequence was not the one of the subject. For single values; what
 * comes in numbers goes through a publisher.
 * @throws ReinsError `bus_unavailable`: what became of it is not known; `bus_stream_full`, `bus_publish_refused`, and of `Bus.ask`
 */
export async function publishWithAck(
  bus: Bus,
  subject: string,
  data: Uint8Array,
  headers?: MsgHdrs,
): Promise<PublishReceipt | undefined> {
  for (let tries = 1; ; tries += 1) {
    const outcome = parsePubAck(await bus.request(subject, data, headers));
    if (outcome.kind === 'stored') return outcome.stored;
    if (outcome.kind === 'conflict') return undefined;
    if (outcome.kind === 'refused') throw new ReinsError({ path: subject, ...outcome.problem });
    if (tries === TRIES) throw new ReinsError({ code: 'bus_unavailable', message: outcome.message, path: subject });
    await sleep(LATER_MS);
  }
}
