import type { JsonValue } from '@reins/contracts';
import { type SecretFinder, secretFinder } from '@reins/runtime-config';

/** Hides the secrets of one stage run in everything that it emits. */
export class Redactor {
  readonly #secrets: readonly string[];
  readonly #hide: SecretFinder;

  constructor(secrets: Iterable<string>) {
    this.#secrets = [...secrets];
    this.#hide = secretFinder(this.#secrets);
  }

  text(text: string): string {
    return this.#hide(text);
  }

  /** Everywhere in a value, names of fields included. */
  value<T extends JsonValue | undefined>(value: T): T {
    return (this.#secrets.length === 0 ? value : this.#walk(value)) as T;
  }

  /** How many characters at the end of a text may be the beginning of a secret. */
  openEnd(text: string): number {
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
