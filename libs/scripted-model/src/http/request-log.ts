import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { finished } from 'node:stream/promises';
import type { ProtocolName } from '../protocols/index.ts';

/** A received request and a summary of its response. Keys are masked. */
export interface LoggedRequest {
  readonly n: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly protocol?: ProtocolName;
  readonly scenario?: string;
  readonly key: 'absent' | 'accepted' | 'refused';
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: unknown;
  readonly model?: string;
  readonly stream?: boolean;
  readonly step?: number;
  readonly tools?: readonly string[];
  /** The HTTP status of an error, the kind of another response, or the text and calls of an answer. */
  readonly answer: number | string | AnswerSummary;
}

export interface AnswerSummary {
  readonly text?: string;
  readonly tools: readonly { readonly name: string; readonly args: unknown }[];
}

const MAX_ENTRIES = 2000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Keeps the newest requests within limits. Appends every request to a file as JSON lines if a path is given. */
export class RequestLog {
  #entries: { readonly entry: LoggedRequest; readonly bytes: number }[] = [];
  #bytes = 0;
  #count = 0;
  readonly #file: WriteStream | undefined;

  constructor(path?: string) {
    // Opened at startup, so that an unwritable path fails the start and not a later request.
    this.#file = path === undefined ? undefined : createWriteStream(path, { fd: openSync(path, 'a', 0o600) });
    // Without a listener, a full disk would crash the process. Requests are answered anyway.
    this.#file?.on('error', () => {});
  }

  add(seen: Omit<LoggedRequest, 'n' | 'at'>, bytes: number): void {
    this.#count += 1;
    const entry = { n: this.#count, at: new Date().toISOString(), ...seen };
    this.#entries.push({ entry, bytes });
    this.#bytes += bytes;
    while (this.#entries.length > MAX_ENTRIES || (this.#bytes > MAX_BYTES && this.#entries.length > 1)) {
      this.#bytes -= this.#entries.shift()?.bytes ?? 0;
    }
    this.#file?.write(`${JSON.stringify(entry)}\n`);
  }

  /** The kept requests, oldest first. */
  list(): readonly LoggedRequest[] {
    return this.#entries.map(({ entry }) => entry);
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  async close(): Promise<void> {
    if (!this.#file || this.#file.destroyed) return;
    this.#file.end();
    await finished(this.#file).catch(() => {});
  }
}
