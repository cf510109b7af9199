import type { OrderedPublisher, OutgoingMessage, PublishReceipt } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { Server } from '../server/server.ts';
import type { Machine } from './machine.ts';

const RETRY_MS = [100, 6_000] as const;
const GIVE_UP_AFTER = 5;

/**
 * Stands in for `OrderedPublisher`: sends messages in order until they are acknowledged. After a loss it resends
 * everything that is not acknowledged. It may give up with a part of the messages stored.
 */
export class SimulatedPublisher implements Pick<OrderedPublisher, 'publishAll'> {
  readonly #machine: Machine;
  readonly #server: Server;

  constructor(machine: Machine, server: Server) {
    this.#machine = machine;
    this.#server = server;
  }

  async publishAll(messages: readonly OutgoingMessage[]): Promise<readonly PublishReceipt[]> {
    const stored: PublishReceipt[] = [];
    for (let tries = 1; ; tries += 1) {
      stored.push(...(await this.#send(messages.slice(stored.length))));
      if (stored.length === messages.length) return stored;
      if (tries === GIVE_UP_AFTER)
        throw new ReinsError({ code: 'bus_unavailable', message: 'the stream does not respond' });
      await this.#pause();
    }
  }

  /** Sends the messages up to the first loss. @returns the acknowledged ones */
  async #send(messages: readonly OutgoingMessage[]): Promise<readonly PublishReceipt[]> {
    const { faults, random, trace, name } = this.#machine;
    const all: PublishReceipt[] = [];
    for (const [index, message] of messages.entries()) {
      const isLost = random.chance(faults.lost);
      const isUnanswered = random.chance(faults.unanswered);
      await this.#machine.send(message.headers.type, () => {
        if (isLost) return;
        trace.line(name, () => `publishes ${message.subject} ${message.headers.id}`);
        const { message: taken, duplicate } = this.#server.publish({
          subject: message.subject,
          id: message.headers.id,
          data: message.data,
          version: message.headers.version,
          expectedLast: message.expectedLastSubjectSeq,
        });
        all.push({ stream: 'EVENTS', seq: taken.seq, duplicate });
      });
      if (!isLost && !isUnanswered) continue;
      // Acknowledgements of earlier messages may be lost, too.
      return all.slice(0, random.between(0, index));
    }
    return all;
  }

  #pause(): Promise<void> {
    const machine = this.#machine;
    return new Promise((resolve) => void machine.after(machine.random.between(...RETRY_MS), resolve));
  }
}
