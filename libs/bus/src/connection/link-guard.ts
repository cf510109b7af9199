import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection, ServerInfo } from '@nats-io/nats-core';

const RETRY_MS = 20;

/**
 * Knows, at the very moment of a send, whether this is still the connection on which everything before was sent.
 *
 * The client drops what it had buffered when it reconnects, and tells so only later, through an asynchronous event. A
 * message sent in between would overtake the lost ones. The server's INFO, one object per connection, changes at once.
 */
export class LinkGuard {
  readonly #nc: NatsConnection;
  #info: ServerInfo | undefined;

  constructor(nc: NatsConnection) {
    this.#nc = nc;
    this.#info = nc.info;
  }

  /** Everything sent since the last `restore()` has gone to one and the same connection. */
  get intact(): boolean {
    const info = this.#nc.info;
    return info !== undefined && info === this.#info;
  }

  /** Waits until a connection has answered. False when the connection is closed for good. */
  async restore(): Promise<boolean> {
    while (!this.#nc.isClosed()) {
      const info = this.#nc.info;
      const answered = await this.#nc.flush().then(
        () => true,
        () => false,
      );
      if (answered && info !== undefined && info === this.#nc.info) {
        this.#info = info;
        return true;
      }
      if (!answered) await sleep(RETRY_MS);
    }
    return false;
  }
}
