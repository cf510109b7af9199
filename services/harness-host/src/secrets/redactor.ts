import type { JsonValue } from '@reins/contracts';
import { type SecretFinder, secretFinder } from '@reins/runtime-config';

/** Hides the secrets of one stage run in everything that it emits. */
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

  /** In the content of a file, whatever it is; the very same array when there is nothing to hide. */
  bytes(bytes: Uint8Array): Uint8Array {
    this.#hideBytes ??= secretFinder(this.#secrets.map((secret) => Buffer.from(secret, 'utf8').toString('latin1')));
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const clean = this.#hideBytes(this.#hide(text));
    return clean === text ? bytes : Buffer.from(clean, 'latin1');
  }

  /** Everywhere in a value, names of fields included. */
  value<T extends JsonValue | undefined>(value: T): T {
    return (this.#secrets.length === 0 ? value : this.#walk(value)) as T;
  }

  /** How many characters at the end of a text may be the beginning of a secret. */
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
