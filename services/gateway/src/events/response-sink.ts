import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
import type { StreamSink } from './run-stream.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that collects the answer first would defeat it.
  'x-accel-buffering': 'no',
};

/** An HTTP response that server-sent events are written to. */
export class ResponseSink implements StreamSink {
  readonly #response: FastifyReply['raw'];

  constructor(reply: FastifyReply) {
    reply.hijack();
    this.#response = reply.raw;
    this.#response.writeHead(200, HEADERS);
    this.#response.flushHeaders();
    this.#response.socket?.setNoDelay(true);
  }

  get pendingBytes(): number {
    return this.#response.writableLength;
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  write(frame: Buffer): boolean {
    return this.#response.writableEnded || this.#response.destroyed || this.#response.write(frame);
  }

  async drained(): Promise<void> {
    if (!this.#response.writableNeedDrain || this.#response.destroyed) return;
    const gone = new AbortController();
    const { signal } = gone;
    await Promise.race([once(this.#response, 'drain', { signal }), once(this.#response, 'close', { signal })]).finally(
      () => gone.abort(),
    );
  }

  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }
}
