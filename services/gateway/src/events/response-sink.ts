import { once } from 'node:events';
import type { FastifyReply } from 'fastify';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Disables response buffering in proxies.
  'x-accel-buffering': 'no',
};

/** Writes server-sent events to an HTTP response. Batches the events of one event loop turn, and the headers, into a single write. */
export class ResponseSink {
  readonly #response: FastifyReply['raw'];
  #frames: Buffer[] = [];
  #bytes = 0;
  #started = false;

  /** @param headers of the response, next to those of an event stream */
  constructor(reply: FastifyReply, headers: Readonly<Record<string, string>> = {}) {
    reply.hijack();
    this.#response = reply.raw;
    this.#response.writeHead(200, { ...HEADERS, ...headers });
    this.#response.socket?.setNoDelay(true);
    setImmediate(() => this.#flush());
  }

  get pendingBytes(): number {
    return this.#bytes + this.#response.writableLength;
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  write(frame: Buffer): void {
    if (this.#isClosed) return;
    this.#bytes += frame.length;
    if (this.#frames.push(frame) === 1) setImmediate(() => this.#flush());
  }

  async drained(): Promise<void> {
    this.#flush();
    if (!this.#response.writableNeedDrain || this.#response.destroyed) return;
    const gone = new AbortController();
    const { signal } = gone;
    await Promise.race([once(this.#response, 'drain', { signal }), once(this.#response, 'close', { signal })]).finally(
      () => gone.abort(),
    );
  }

  end(): void {
    this.#flush();
    if (!this.#response.writableEnded) this.#response.end();
  }

  abort(): void {
    this.#frames = [];
    this.#bytes = 0;
    this.#response.destroy();
  }

  get #isClosed(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  #flush(): void {
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    if (this.#isClosed) return;
    if (frames.length > 0) this.#response.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
    else if (!this.#started) this.#response.flushHeaders();
    this.#started = true;
  }
}
