import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BlobRef,
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
  type Problem,
  ReinsError,
} from '@reins/contracts';
import type { LargeValues } from '../large/large-values.ts';
import type { EffectState, RunState } from '../state/run-state.ts';
import { createFile, readIfThere, replaceFile, syncDirectory, syncFile } from './files.ts';
import { inputsRefOf } from './large-inputs.ts';
import type { RunPaths } from './layout.ts';

/** Values that are too large for a run's journal, by the hash of their canonical JSON: equal ones are kept once. */
export class RunBlobs implements LargeValues {
  readonly #paths: RunPaths;

  constructor(paths: RunPaths) {
    this.#paths = paths;
  }

  /** Durable when it returns. Where the run exists already, called by who holds its lock: the next one sweeps what a crash leaves of a write. */
  async put(value: JsonValue): Promise<BlobRef> {
    const text = canonicalJson(value);
    const ref = refOfText(text);
    if (mkdirSync(this.#paths.blobs, { recursive: true }) !== undefined) syncDirectory(this.#paths.root);
    const path = this.#pathOf(ref);
    const isTaken = !createFile(path, text, this.#paths.blobs, false);
    if (isTaken && readIfThere(path) !== text) replaceFile(path, text, { durable: false });
    // No entry names it before both are done, so content and name may come to the disk together.
    await syncFile(path);
    syncDirectory(this.#paths.blobs);
    return ref;
  }

  /** @throws ReinsError `journal_corrupt` when it is gone, or not what its name says */
  async get(ref: BlobRef): Promise<JsonValue> {
    return this.read(ref);
  }

  /** As `get`. @throws ReinsError `journal_corrupt` */
  read(ref: BlobRef): JsonValue {
    const text = this.#textOf(ref);
    if (typeof text !== 'string') throw new ReinsError(text);
    return JSON.parse(text) as JsonValue;
  }

  /** As `read`; undefined when it is gone, or not what its name says. */
  readIfWhole(ref: BlobRef): JsonValue | undefined {
    const text = this.#textOf(ref);
    return typeof text === 'string' ? (JSON.parse(text) as JsonValue) : undefined;
  }

  /** Whether a blob is gone, or not what its name says. */
  problemOf(ref: BlobRef): Problem | undefined {
    const text = this.#textOf(ref);
    return typeof text === 'string' ? undefined : text;
  }

  /** The whole request of an effect. @throws ReinsError `journal_corrupt` */
  requestOf({ request, requestRef }: Pick<EffectState, 'request' | 'requestRef'>): JsonObject {
    return requestRef ? objectOf(this.read(requestRef)) : request;
  }

  /** What the process of a run was given. @throws ReinsError `journal_corrupt` */
  inputsOf({ inputs, inputsRef }: Pick<RunState, 'inputs' | 'inputsRef'>): JsonValue {
    return inputsRef ? this.read(inputsRef) : inputs;
  }

  /** What the process of a run returned; null while it has not. @throws ReinsError `journal_corrupt` */
  outputOf({ end }: Pick<RunState, 'end'>): JsonValue {
    if (end?.status !== 'completed') return null;
    return end.outputRef ? this.read(end.outputRef) : end.output;
  }

  /** In the order in which the blob will give them back: the name of their file follows from their text. */
  argumentsAt(effectId: string, args: JsonValue): string | undefined {
    return inputsRefOf(effectId, args) && inputsRefOf(effectId, JSON.parse(canonicalJson(args)));
  }

  #textOf(ref: BlobRef): string | Problem {
    const text = readIfThere(this.#pathOf(ref));
    if (text !== undefined && hash('sha256', text) === ref.sha256) return text;
    const path = blobPath(ref);
    const message = `${path} ${text === undefined ? 'is missing' : 'is not what its name says'}`;
    const hint = 'run:verify says which entry names it, and how it comes back';
    return { code: 'journal_corrupt', message, path, hint };
  }

  #pathOf(ref: BlobRef): string {
    return join(this.#paths.root, blobPath(ref));
  }
}

/** What a value has for a name, wherever it is. */
export const blobRefOf = (value: JsonValue): BlobRef => refOfText(canonicalJson(value));

/** Where a value lies, run-relative. */
export const blobPath = ({ sha256 }: BlobRef): string => `blobs/${sha256}.json`;

const refOfText = (text: string): BlobRef => ({
  sha256: hash('sha256', text),
  size: Buffer.byteLength(text),
  mediaType: 'application/json',
});

const objectOf = (value: JsonValue): JsonObject => (isObject(value) ? (value as JsonObject) : {});
