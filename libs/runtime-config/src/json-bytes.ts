/** Serialised bytes of shared values; null until first written. */
const objects = new WeakMap<object, Uint8Array | null>();
const texts = new Map<string, Uint8Array | null>();
const MAX_TEXTS = 256;
/** Shorter texts are not worth a lookup. */
const MIN_TEXT_LENGTH = 256;

/**
 * Marks an immutable value that occurs in many documents: an object or a long text. It is then serialised, and searched
 * for secrets, only once.
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

/** Whether the value was marked with `markShared`. */
export function isShared(value: object | string): boolean {
  return typeof value === 'object' ? objects.has(value) : value.length >= MIN_TEXT_LENGTH && texts.has(value);
}

const DEPTH = 3;

/**
 * Serialises a document like `JSON.stringify`, in UTF-8. Shared values in its first levels are serialised once for all
 * documents.
 */
export function jsonBytes(document: object): Uint8Array {
  const writer = new Writer();
  writer.write(document, DEPTH);
  return writer.bytes;
}

/** Collects text and already serialised bytes. */
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
      if (known !== undefined) this.#add(known ?? store(objects, value));
      else if (depth === 0 || Array.isArray(value)) this.#text += JSON.stringify(value);
      else this.#members(value, depth - 1);
    }
  }

  #string(value: string): void {
    const known = value.length < MIN_TEXT_LENGTH ? undefined : texts.get(value);
    if (known === undefined) this.#text += JSON.stringify(value);
    else this.#add(known ?? store(texts, value));
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

/** Caches the JSON of member names, which are the same in every document. */
function nameText(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(name, text);
  return text;
}

function store<K extends object | string>(kept: { set(key: K, bytes: Uint8Array): unknown }, value: K): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(value));
  kept.set(value, bytes);
  return bytes;
}
