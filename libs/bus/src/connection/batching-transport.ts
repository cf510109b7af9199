import {
  type ConnectionOptions,
  type NatsConnection,
  NatsConnectionImpl,
  setTransportFactory,
} from '@nats-io/nats-core/internal';
import { NodeTransport, nodeResolveHost } from '@nats-io/transport-node/lib/node_transport.js';

/** So much is written at once, for the server to begin with. */
const ENOUGH_BYTES = 16 * 1024;

/**
 * Sends what one turn of the event loop has to say in one write. The client of NATS writes after every microtask, which under load is
 * nearly every message: the system calls alone were a fifth of a service's time.
 */
class BatchingTransport extends NodeTransport {
  #frames: Uint8Array[] = [];
  #bytes = 0;

  override send(frame: Uint8Array): void {
    this.#bytes += frame.length;
    if (this.#frames.push(frame) === 1) setImmediate(() => this.#write());
    if (this.#bytes >= ENOUGH_BYTES) this.#write();
  }

  override close(error?: Error): Promise<void> {
    this.#write();
    return super.close(error);
  }

  override disconnect(): void {
    this.#write();
    super.disconnect();
  }

  #write(): void {
    const frames = this.#frames;
    if (frames.length === 0) return;
    this.#frames = [];
    this.#bytes = 0;
    super.send(frames.length === 1 ? (frames[0] as Uint8Array) : Buffer.concat(frames));
  }
}

/** Connects as the client does, over a transport that gathers. */
export function connectBatching(options: ConnectionOptions): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new BatchingTransport(), dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect(options);
}
