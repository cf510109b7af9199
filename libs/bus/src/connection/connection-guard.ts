import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection, ServerInfo } from '@nats-io/nats-core';

const RETRY_MS = 20;

/**
 * Detects at the moment of a send whether the connection is still the one that carried all earlier sends.
 *
 * On a reconnect the client drops its buffered messages, and reports the reconnect later through an asynchronous event.
 * A message sent in between would overtake the lost ones. The server's INFO object exists once per connection and
 * changes immediately.
 */
export class ConnectionGuard {
  readonly #nc: NatsConnection;
  #info: ServerInfo | undefined;

  constructor(nc: NatsConnection) {
    this.#nc = nc;
    this.#info = nc.info;
  }

  /** True while everything sent since the last `restore()` went to the same connection. */
  get isSameConnection(): boolean {
    const info = this.#nc.info;
    return info !== undefined && info === this.#info;
  }

  /** Waits until a connection answers. Resolves to false when the connection is closed for good. */
  async restore(): Promise<boolean> {
    while (!this.#nc.isClosed()) {
      const info = this.#nc.info;
      const responded = await this.#nc.flush().then(
        () => true,
        () => false,
      );
      if (responded && info !== undefined && info === this.#nc.info) {
        this.#info = info;
        return true;
      }
      if (!responded) await sleep(RETRY_MS);
    }
    return false;
  }
}
