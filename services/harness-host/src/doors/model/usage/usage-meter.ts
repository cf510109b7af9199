import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { defined } from '@reins/contracts';
import { COMPLETE, merged, NOTHING, readEvent, type WireForm, type WireUsage } from './wire-usage.ts';

/** The maximum length of a line of a stream, or of a body that is not streamed. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** Maximum bytes of a stream that are buffered before they are parsed. Reading them takes a few milliseconds. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** Events with usage or the end of a response, in all wire forms. Quotes in texts are escaped, so they do not match. */
const INFORMATIVE =
  /"usage(?:Metadata)?"\s*:\s*\{|\[DONE\]|"(?:message_stop|finishReason|blockReason|response\.(?:completed|incomplete|failed))"/;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The usage that a response reported. `textTokens` counts the whole response only if it reported no usage. */
export interface MeteredAnswer extends WireUsage {
  /** When the first text, reasoning or tool call of a stream arrived, by `performance.now()`. */
  readonly firstTokenAt?: number;
}

/**
 * Reads the usage from the bytes of a response while they are forwarded. It never changes, delays or rejects them. Most
 * events of a stream say nothing about its usage, so after the first token they are parsed only if the stream is
 * cut.
 */
export class UsageMeter {
  readonly #form: WireForm;
  readonly #streamed: boolean;
  readonly #decoder: Transform | undefined;
  readonly #decoded: Promise<void>;
  readonly #text = new TextDecoder();
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  /** The last line, which is not complete yet. */
  #open = '';
  #tooLong = false;
  #usage: WireUsage = NOTHING;
  #firstTokenAt: number | undefined;

  constructor(form: WireForm, headers: Pick<IncomingHttpHeaders, 'content-type' | 'content-encoding'>) {
    this.#form = form;
    this.#streamed = /^text\/event-stream/i.test(headers['content-type'] ?? '');
    const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
    this.#decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#decoded = this.#decoder ? promise : Promise.resolve();
    this.#decoder?.on('data', (bytes: Buffer) => this.#keep(bytes));
    // A broken encoding ends the measurement, not the response. A truncated body is an error as well.
    this.#decoder?.once('error', () => resolve()).once('close', () => resolve());
  }

  add(bytes: Buffer): void {
    if (!this.#decoder) this.#keep(bytes);
    else if (!this.#decoder.destroyed) this.#decoder.write(bytes);
  }

  /** Call once, after the last byte. */
  async end(): Promise<MeteredAnswer> {
    this.#decoder?.end();
    await this.#decoded;
    const text = this.#takeText();
    if (this.#streamed) this.#lastEvents(text.split('\n'));
    else this.#event(`data:${text}`);
    const at = this.#firstTokenAt;
    return { ...this.#usage, ...defined({ firstTokenAt: at }) };
  }

  #keep(bytes: Buffer): void {
    if (this.#tooLong) return;
    this.#unread.push(bytes);
    this.#unreadBytes += bytes.byteLength;
    if (this.#streamed && (this.#firstTokenAt === undefined || this.#unreadBytes > MAX_UNREAD_BYTES)) this.#readLines();
    if (this.#unreadBytes + this.#open.length <= MAX_LENGTH) return;
    this.#tooLong = true;
    this.#takeText();
  }

  /** The vendors send each event as one line of data. */
  #readLines(): void {
    const text = this.#takeText();
    const end = text.lastIndexOf('\n');
    this.#open = text.slice(end + 1);
    if (end >= 0) for (const line of text.slice(0, end).split('\n')) this.#event(line);
  }

  /** Returns the text that has not been read yet. */
  #takeText(): string {
    const text = this.#open + this.#text.decode(Buffer.concat(this.#unread), { stream: true });
    this.#open = '';
    this.#unread = [];
    this.#unreadBytes = 0;
    return text;
  }

  /** Reads the events that have usage. Reads the others only if the usage must be estimated. */
  #lastEvents(lines: readonly string[]): void {
    for (const line of lines) if (INFORMATIVE.test(line)) this.#event(line);
    if (this.#usage.final || this.#usage.complete) return;
    for (const line of lines) if (!INFORMATIVE.test(line)) this.#event(line);
  }

  #event(line: string): void {
    if (!line.startsWith('data:')) return;
    const data = line.slice('data:'.length).trim();
    if (data === '') return;
    try {
      const read = data === '[DONE]' ? COMPLETE : readEvent(this.#form, JSON.parse(data), this.#streamed);
      this.#usage = merged(this.#usage, read);
    } catch {
      // What cannot be parsed says nothing about usage.
    }
    if (this.#streamed && this.#usage.textTokens > 0) this.#firstTokenAt ??= performance.now();
  }
}
