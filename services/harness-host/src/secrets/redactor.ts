import type { JsonValue } from '@reins/contracts';
import { type SecretFinder, secretFinder } from '@reins/runtime-config';

/** Redacts the secrets of one stage run in everything that it emits. */
export class Redactor {
  readonly #secrets: readonly string[];
  readonly #hide: SecretFinder;
  #hideBytes: SecretFinder | undefined;

  constructor(secrets: Iterable<string>) {
    this.#secrets = [...secrets];
    this.#hide = secretFinder(this.#secrets);
  }

  text(text: string): string {
    return this.#hide(text);
  }

  get hasSecrets(): boolean {
    return this.#secrets.length > 0;
  }

  /** Redacts the content of a file, text or binary. Returns the same array when it contains no secret. */
  bytes(bytes: Uint8Array): Uint8Array {
    this.#hideBytes ??= secretFinder(this.#secrets.map((secret) => Buffer.from(secret, 'utf8').toString('latin1')));
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const clean = this.#hideBytes(this.#hide(text));
    return clean === text ? bytes : Buffer.from(clean, 'latin1');
  }

  /** Redacts all strings in a value, including field names. */
  value<T extends JsonValue | undefined>(value: T): T {
    return (this.#secrets.length === 0 ? value : this.#walk(value)) as T;
  }

  /** The number of characters at the end of a text that may be the beginning of a secret. */
  partialSecretLength(text: string): number {
    const open = this.#secrets.map((secret) => {
      const longest = Math.min(text.length, secret.length - 1);
      for (let length = longest; length > 0; length -= 1) if (text.endsWith(secret.slice(0, length))) return length;
      return 0;
    });
    return Math.max(0, ...open);
  }

  #walk(value: JsonValue | undefined): JsonValue | undefined {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#walk(item) ?? null);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.#walk(item)]));
  }
}
