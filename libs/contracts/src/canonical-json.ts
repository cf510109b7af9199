/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and strings as ECMAScript writes them.
 * A writer of our own, because hashing is what a journal spends its time on. The engine's own writer does the work: it is given
 * a value whose members stand in order already, which most do that were read from a journal.
 *
 * In one thing it is more patient than the RFC: half of a surrogate pair, which is what a text that was cut in the middle of a character
 * ends with, is written as its escape. A model's answer that was cut must not stop a run.
 * @throws TypeError for what JSON cannot carry: a number that is not finite, a function, a big integer
 */
export function canonicalJson(value: unknown): string {
  const ordered = inOrder(value);
  return ordered === NEEDS_WRITER ? written(value) : JSON.stringify(ordered);
}

/** No object of ECMAScript can have its members in the order that this value needs. */
const NEEDS_WRITER = Symbol('needs writer');

/** The value itself where its members are in order, otherwise a copy in which they are. */
function inOrder(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`);
      return value;
    case 'object':
      if (value === null) return value;
      return Array.isArray(value) ? listInOrder(value) : membersInOrder(value as Readonly<Record<string, unknown>>);
    default:
      throw new TypeError(`a ${typeof value} cannot be written as JSON`);
  }
}

function listInOrder(values: readonly unknown[]): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < values.length; i += 1) {
    const item = values[i];
    const ordered = item === undefined ? null : inOrder(item);
    if (ordered === NEEDS_WRITER) return NEEDS_WRITER;
    if (ordered === item) continue;
    copy ??= [...values];
    copy[i] = ordered;
  }
  return copy ?? values;
}

function membersInOrder(value: Readonly<Record<string, unknown>>): unknown {
  const keys = Object.keys(value);
  let copy: Record<string, unknown> | undefined = sortKeys(keys) ? {} : undefined;
  for (const key of keys) {
    if (hasOwnPlace(key)) return NEEDS_WRITER;
    const member = value[key];
    const ordered = member === undefined ? undefined : inOrder(member);
    if (ordered === NEEDS_WRITER) return NEEDS_WRITER;
    if (ordered !== member) copy ??= { ...value };
    if (copy) copy[key] = ordered;
  }
  return copy ?? value;
}

/** @returns whether they were out of order */
function sortKeys(keys: string[]): boolean {
  for (let i = 1; i < keys.length; i += 1) {
    if ((keys[i - 1] as string) <= (keys[i] as string)) continue;
    keys.sort();
    return true;
  }
  return false;
}

/** Integer keys come first in every object, and `__proto__` is no member when it is assigned. */
function hasOwnPlace(key: string): boolean {
  const first = key.charCodeAt(0);
  return (first >= 48 && first <= 57) || key === '__proto__';
}

/** The plain way, for every value. */
function written(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => written(item ?? null)).join(',')}]`;
  const keys = Object.keys(value).toSorted();
  const members = keys.flatMap((key) => {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    return member === undefined ? [] : [`${JSON.stringify(key)}:${written(member)}`];
  });
  return `{${members.join(',')}}`;
}
