/** Bytes of what comes again; null until it is written first. */
const objects = new WeakMap<object, Uint8Array | null>();
const texts = new Map<string, Uint8Array | null>();
const MAX_TEXTS = 256;
/** What is shorter is not worth looking up. */
const SHORTEST = 256;

/**
 * Marks what is never changed and stands in many documents, an object or a long text, so that it is written, and its secrets are looked
 * for, once.
 */
export function markShared<T extends object | string>(value: T): T {
  if (typeof value === 'object') {
    if (!objects.has(value)) objects.set(value, null);
  } else if (!texts.has(value)) {
    if (texts.size >= MAX_TEXTS) texts.clear();
    texts.set(value, null);
  }
  return value;
}

/** Whether it was marked. */
export function isShared(value: object | string): boolean {
  return typeof value === 'object' ? objects.has(value) : value.length >= SHORTEST && texts.has(value);
}

const DEPTH = 3;

/** A document in UTF-8, as `JSON.stringify` writes it. What was marked in its first levels is written once for all documents. */
export function jsonBytes(document: object): Uint8Array {
  const writer = new Writer();
  writer.write(document, DEPTH);
  return writer.bytes;
}

/** Collects text, and between it what was written before. */
class Writer {
  readonly #parts: Uint8Array[] = [];
  #text = '';

  get bytes(): Uint8Array {
    this.#flush();
    return Buffer.concat(this.#parts);
  }

  write(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#string(value);
    else if (value === null || typeof value === 'boolean') this.#text += value;
    else if (typeof value !== 'object') this.#text += JSON.stringify(value);
    else {
      const known = objects.get(value);
      if (known !== undefined) this.#add(known ?? keep(objects, value));
      else if (depth === 0 || Array.isArray(value)) this.#text += JSON.stringify(value);
      else this.#members(value, depth - 1);
    }
  }

  #string(value: string): void {
    const known = value.length < SHORTEST ? undefined : texts.get(value);
    if (known === undefined) this.#text += JSON.stringify(value);
    else this.#add(known ?? keep(texts, value));
  }

  #members(object: object, depth: number): void {
    let separator = '{';
    for (const [key, member] of Object.entries(object)) {
      if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue;
      this.#text += separator + nameText(key);
      this.write(member, depth);
      separator = ',';
    }
    this.#text += separator === '{' ? '{}' : '}';
  }

  #add(bytes: Uint8Array): void {
    this.#flush();
    this.#parts.push(bytes);
  }

  #flush(): void {
    if (this.#text !== '') this.#parts.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

const names = new Map<string, string>();
const MAX_NAMES = 1024;

/** The same fields come in every document. */
function nameText(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(name, text);
  return text;
}

function keep<K extends object | string>(kept: { set(key: K, bytes: Uint8Array): unknown }, value: K): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(value));
  kept.set(value, bytes);
  return bytes;
}
