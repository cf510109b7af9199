import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BlobRef, canonicalJson, type JsonValue, ReinsError } from '@reins/contracts';
import { createFile, readIfThere } from './files.ts';
import type { RunPaths } from './layout.ts';

/** Values that are too large for a run's journal, by the hash of their canonical JSON: equal ones are kept once. */
export class RunBlobs {
  readonly #paths: RunPaths;

  constructor(paths: RunPaths) {
    this.#paths = paths;
  }

  /** Durable when it returns. */
  async put(value: JsonValue): Promise<BlobRef> {
    const text = canonicalJson(value);
    const sha256 = hash('sha256', text);
    mkdirSync(this.#paths.blobs, { recursive: true });
    createFile(this.#pathOf(sha256), text, this.#paths.blobs);
    return { sha256, size: Buffer.byteLength(text), mediaType: 'application/json' };
  }

  /** @throws ReinsError `journal_corrupt` when it is gone, or not what its name says */
  async get({ sha256 }: BlobRef): Promise<JsonValue> {
    const text = readIfThere(this.#pathOf(sha256));
    if (text !== undefined && hash('sha256', text) === sha256) return JSON.parse(text) as JsonValue;
    const message = `blobs/${sha256}.json ${text === undefined ? 'is missing' : 'is not what its name says'}`;
    throw new ReinsError({ code: 'journal_corrupt', message, path: `blobs/${sha256}.json` });
  }

  #pathOf(sha256: string): string {
    return join(this.#paths.blobs, `${sha256}.json`);
  }
}
