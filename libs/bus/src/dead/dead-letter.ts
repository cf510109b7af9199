import { headers as newHeaders } from '@nats-io/nats-core';
import { deadSubject, type Problem } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import type { BusMessage } from '../consume/message.ts';
import { HEADER } from '../publish/headers.ts';
import { publishWithAck } from '../publish/publish-with-ack.ts';

/** Headers that a dead letter has in addition to those of the message. */
export const DEAD_HEADER = {
  stream: 'reins-dead-stream',
  consumer: 'reins-dead-consumer',
  seq: 'reins-dead-seq',
  deliveries: 'reins-dead-deliveries',
  msgId: 'reins-dead-msg-id',
  problem: 'reins-dead-problem',
} as const;

/** Headers that the server would act on. */
const isCommand = (name: string): boolean => /^nats-/i.test(name);

/**
 * Copies a message to DEAD with the reason. Idempotent: the message id makes the stream drop a repeat.
 * @throws ReinsError of the bus
 */
export async function deadLetter(
  bus: Bus,
  origin: { readonly stream: string; readonly consumer: string },
  message: Pick<BusMessage, 'subject' | 'data' | 'seq' | 'deliveries' | 'msgId' | 'headers'>,
  problem: Problem,
): Promise<void> {
  const headers = newHeaders();
  for (const [name, value] of message.headers) if (!isCommand(name)) headers.set(name, value);
  headers.set(DEAD_HEADER.stream, origin.stream);
  headers.set(DEAD_HEADER.consumer, origin.consumer);
  headers.set(DEAD_HEADER.seq, String(message.seq));
  headers.set(DEAD_HEADER.deliveries, String(message.deliveries));
  headers.set(DEAD_HEADER.msgId, message.msgId);
  headers.set(DEAD_HEADER.problem, JSON.stringify(problem));
  headers.set(HEADER.msgId, `dead.${origin.stream}.${origin.consumer}.${message.seq}`);
  await publishWithAck(bus, deadSubject(origin.stream, message.subject), message.data, headers);
  bus.log.error({ ...origin, subject: message.subject, seq: message.seq, problem }, 'message dead-lettered');
}
