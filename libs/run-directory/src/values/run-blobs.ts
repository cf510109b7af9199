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
import type { EffectState, LargeValues, RunState } from '@reins/journal';
import { createFile, readIfExists, replaceFile, syncDirectory, syncFile } from '../store/files.ts';
import type { RunPaths } from '../store/layout.ts';
import { inputsRefOf } from './large-inputs.ts';

/** Values that are too large for a run's journal, by the hash of their canonical JSON. Equal values are stored once. */
export class RunBlobs implements LargeValues {
  readonly #paths: RunPaths;

  constructor(paths: RunPaths) {
    this.#paths = paths;
  }

  /**
   * The value is durable when this returns. For an existing run the caller must hold its lock; the next holder removes
   * what a crash leaves.
   */
  async put(value: JsonValue): Promise<BlobRef> {
    const text = canonicalJson(value);
    const ref = refOfText(text);
    if (mkdirSync(this.#paths.blobs, { recursive: true }) !== undefined) syncDirectory(this.#paths.root);
    const path = this.#pathOf(ref);
    const isTaken = !createFile(path, text, this.#paths.blobs, false);
    if (isTaken && readIfExists(path) !== text) replaceFile(path, text, { durable: false });
    // Entries reference the blob only after both, so content and name may become durable in any order.
    await syncFile(path);
    syncDirectory(this.#paths.blobs);
    return ref;
  }

  /** @throws ReinsError `journal_corrupt` when the blob is missing or does not match its hash */
  async get(ref: BlobRef): Promise<JsonValue> {
    return this.read(ref);
  }

  /** As `get`. @throws ReinsError `journal_corrupt` */
  read(ref: BlobRef): JsonValue {
    const text = this.#textOf(ref);
    if (typeof text !== 'string') throw new ReinsError(text);
    return JSON.parse(text) as JsonValue;
  }

  /** Like `read`, but undefined when the blob is missing or does not match its hash. */
  readIfWhole(ref: BlobRef): JsonValue | undefined {
    const text = this.#textOf(ref);
    return typeof text === 'string' ? (JSON.parse(text) as JsonValue) : undefined;
  }

  /** The problem of a blob that is missing or does not match its hash. */
  problemOf(ref: BlobRef): Problem | undefined {
    const text = this.#textOf(ref);
    return typeof text === 'string' ? undefined : text;
  }

  /** The whole request of an effect. @throws ReinsError `journal_corrupt` */
  requestOf({ request, requestRef }: Pick<EffectState, 'request' | 'requestRef'>): JsonObject {
    return requestRef ? objectOf(this.read(requestRef)) : request;
  }

  /** The inputs of a run's process. @throws ReinsError `journal_corrupt` */
  inputsOf({ inputs, inputsRef }: Pick<RunState, 'inputs' | 'inputsRef'>): JsonValue {
    return inputsRef ? this.read(inputsRef) : inputs;
  }

  /** The output of a run's process; null until it has completed. @throws ReinsError `journal_corrupt` */
  outputOf({ end }: Pick<RunState, 'end'>): JsonValue {
    if (end?.status !== 'completed') return null;
    return end.outputRef ? this.read(end.outputRef) : end.output;
  }

  /**
   * The file name depends on the member order, so the path is valid only if the order from the blob leads to the same
   * name.
   */
  argumentsAt(effectId: string, args: JsonValue): string | undefined {
    return inputsRefOf(effectId, args) && inputsRefOf(effectId, JSON.parse(canonicalJson(args)));
  }

  #textOf(ref: BlobRef): string | Problem {
    const text = readIfExists(this.#pathOf(ref));
    if (text !== undefined && hash('sha256', text) === ref.sha256) return text;
    const path = blobPath(ref);
    const message = `${path} ${text === undefined ? 'is missing' : 'does not match its hash'}`;
    const hint = 'Use run:verify to see which entry references it and how to restore it.';
    return { code: 'journal_corrupt', message, path, hint };
  }

  #pathOf(ref: BlobRef): string {
    return join(this.#paths.root, blobPath(ref));
  }
}

/** The reference of a value. */
export const blobRefOf = (value: JsonValue): BlobRef => refOfText(canonicalJson(value));

/** The run-relative path of a blob. */
export const blobPath = ({ sha256 }: BlobRef): string => `blobs/${sha256}.json`;

const refOfText = (text: string): BlobRef => ({
  sha256: hash('sha256', text),
  size: Buffer.byteLength(text),
  mediaType: 'application/json',
});

const objectOf = (value: JsonValue): JsonObject => (isObject(value) ? (value as JsonObject) : {});
