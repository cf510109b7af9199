import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { COMPLETE, merged, NOTHING, readEvent, type WireForm, type WireUsage } from './wire-usage.ts';

/** The longest line of a stream, or body without a stream, that is read. */
const MAX_LENGTH = 16 * 1024 * 1024;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** What an answer said about its usage. */
export interface MeteredAnswer extends WireUsage {
  /** When the first text, reasoning or tool call of a stream arrived, by `performance.now()`. */
  readonly firstTokenAt?: number;
}

/** Reads the usage from the bytes of an answer while they are forwarded. It never changes, delays or rejects them. */
export class UsageMeter {
  readonly #form: WireForm;
  readonly #streamed: boolean;
  readonly #decoder: Transform | undefined;
  readonly #decoded: Promise<void>;
  readonly #text = new TextDecoder();
  #open = '';
  #tooLong = false;
  #usage: WireUsage = NOTHING;
  #firstTokenAt: number | undefined;

  constructor(form: WireForm, headers: { readonly 'content-type'?: string; readonly 'content-encoding'?: string }) {
    this.#form = form;
    this.#streamed = /^text\/event-stream/i.test(headers['content-type'] ?? '');
    const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
    this.#decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#decoded = this.#decoder ? promise : Promise.resolve();
    this.#decoder?.on('data', (bytes: Buffer) => this.#read(bytes));
    // A broken encoding ends the measurement, not the answer. A cut one is an error as well.
    this.#decoder?.once('error', () => resolve()).once('close', () => resolve());
  }

  add(bytes: Buffer): void {
    if (!this.#decoder) this.#read(bytes);
    else if (!this.#decoder.destroyed) this.#decoder.write(bytes);
  }

  /** Call once, after the last byte. */
  async end(): Promise<MeteredAnswer> {
    this.#decoder?.end();
    await this.#decoded;
    if (this.#open !== '') this.#event(this.#streamed ? this.#open : `data:${this.#open}`);
    const at = this.#firstTokenAt;
    return { ...this.#usage, ...(at !== undefined && { firstTokenAt: at }) };
  }

  #read(bytes: Buffer): void {
    if (this.#tooLong) return;
    this.#open += this.#text.decode(bytes, { stream: true });
    if (this.#streamed) this.#lines();
    if (this.#open.length <= MAX_LENGTH) return;
    this.#tooLong = true;
    this.#open = '';
  }

  /** The vendors send each event as one line of data. */
  #lines(): void {
    const end = this.#open.lastIndexOf('\n');
    if (end < 0) return;
    const lines = this.#open.slice(0, end).split('\n');
    this.#open = this.#open.slice(end + 1);
    for (const line of lines) this.#event(line);
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
    if (this.#streamed && this.#usage.characters > 0) this.#firstTokenAt ??= performance.now();
  }
}
