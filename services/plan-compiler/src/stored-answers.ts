import { createHash } from 'node:crypto';
import { Blobs, type Bus, KeyedBlobs } from '@reins/bus';
import { parseJson } from '@reins/contracts';
import type { Answer } from './answer.ts';

/** Answers in the object store, by the checksum of their inputs and the compiler that made them. */
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

  /** Undefined where this compiler has none, and where the plan that it speaks of is there no more. */
  async find(inputsChecksum: string): Promise<Answer | undefined> {
    const key = this.#key(inputsChecksum);
    const bytes = await this.#store.get(key);
    const stored = bytes && (parseJson(bytes) as unknown as { readonly key?: string; readonly answer: Answer });
    // What stands there under a hash of something else is no answer.
    if (stored?.key !== key) return undefined;
    const { answer } = stored;
    if (answer.type === 'runtime.plan.rejected') return answer;
    return (await this.#plans.has(answer.fields.planRef.sha256)) ? answer : undefined;
  }

  async keep(inputsChecksum: string, answer: Answer): Promise<void> {
    const key = this.#key(inputsChecksum);
    await this.#store.put(key, new TextEncoder().encode(JSON.stringify({ key, answer })));
  }

  #key(inputsChecksum: string): string {
    return createHash('sha256').update(`plan answer ${this.#version} ${inputsChecksum}`).digest('hex');
  }
}
