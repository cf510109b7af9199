import { createHash } from 'node:crypto';
import { Blobs, type Bus, KeyedBlobs } from '@reins/bus';
import { parseJson } from '@reins/contracts';
import type { Answer } from './answer.ts';

/** Answers in the object store, by the checksum of their inputs and the version of the compiler. */
export class StoredAnswers {
  readonly #store: KeyedBlobs;
  readonly #plans: Blobs;
  readonly #version: string;

  private constructor(store: KeyedBlobs, plans: Blobs, version: string) {
    this.#store = store;
    this.#plans = plans;
    this.#version = version;
  }

  static async open(bus: Bus, version: string): Promise<StoredAnswers> {
    return new StoredAnswers(await KeyedBlobs.open(bus), await Blobs.open(bus), version);
  }

  /** Returns the stored answer. Undefined when this compiler version has none, or when its plan no longer exists. */
  async find(inputsChecksum: string): Promise<Answer | undefined> {
    const key = this.#key(inputsChecksum);
    const bytes = await this.#store.get(key);
    const stored = bytes && (parseJson(bytes) as unknown as { readonly key?: string; readonly answer: Answer });
    // An entry with another key is not this answer.
    if (stored?.key !== key) return undefined;
    const { answer } = stored;
    if (answer.type === 'runtime.plan.rejected') return answer;
    return (await this.#plans.has(answer.fields.planRef.sha256)) ? answer : undefined;
  }

  async store(inputsChecksum: string, answer: Answer): Promise<void> {
    const key = this.#key(inputsChecksum);
    await this.#store.put(key, new TextEncoder().encode(JSON.stringify({ key, answer })));
  }

  #key(inputsChecksum: string): string {
    return createHash('sha256').update(`plan answer ${this.#version} ${inputsChecksum}`).digest('hex');
  }
}
