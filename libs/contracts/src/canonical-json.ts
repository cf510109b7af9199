/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and strings as ECMAScript
 * writes them.
 *
 * Hashing dominates the cost of journals, so this implementation uses `JSON.stringify` on a value whose members are
 * already sorted. Most values that were read from a journal are.
 *
 * It differs from the RFC in one case: it writes a lone surrogate as its escape. Such text results from truncation in
 * the middle of a character, and a truncated model output must not stop a run.
 * @throws TypeError for values without a JSON form: a number that is not finite, a function, a bigint
 */
export function canonicalJson(value: unknown): string {
  const ordered = sorted(value);
  return ordered === NEEDS_WRITER ? writeJson(value) : JSON.stringify(ordered);
}

/** Marks a value whose required member order is impossible for an ECMAScript object. */
const NEEDS_WRITER = Symbol('needs writer');

/** Returns the value if its members are sorted, otherwise a sorted copy. */
function sorted(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`);
      return value;
    case 'object':
      if (value === null) return value;
      return Array.isArray(value) ? sortedList(value) : sortedMembers(value as Readonly<Record<string, unknown>>);
    default:
      throw new TypeError(`a ${typeof value} cannot be written as JSON`);
  }
}

function sortedList(values: readonly unknown[]): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < values.length; i += 1) {
    const item = values[i];
    const ordered = item === undefined ? null : sorted(item);
    if (ordered === NEEDS_WRITER) return NEEDS_WRITER;
    if (ordered === item) continue;
    copy ??= [...values];
    copy[i] = ordered;
  }
  return copy ?? values;
}

function sortedMembers(value: Readonly<Record<string, unknown>>): unknown {
  const keys = Object.keys(value);
  let copy: Record<string, unknown> | undefined = sortKeys(keys) ? {} : undefined;
  for (const key of keys) {
    if (hasFixedPosition(key)) return NEEDS_WRITER;
    const member = value[key];
    const ordered = member === undefined ? undefined : sorted(member);
    if (ordered === NEEDS_WRITER) return NEEDS_WRITER;
    if (ordered !== member) copy ??= { ...value };
    if (copy) copy[key] = ordered;
  }
  return copy ?? value;
}

/**
 * Sorts the keys in place.
 * @returns whether they were out of order
 */
function sortKeys(keys: string[]): boolean {
  for (let i = 1; i < keys.length; i += 1) {
    if ((keys[i - 1] as string) <= (keys[i] as string)) continue;
    keys.sort();
    return true;
  }
  return false;
}

/** Integer keys come first in every object, and assigning `__proto__` does not create a member. */
function hasFixedPosition(key: string): boolean {
  const first = key.charCodeAt(0);
  return (first >= 48 && first <= 57) || key === '__proto__';
}

/** Writes any value with sorted members. */
function writeJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item ?? null)).join(',')}]`;
  const keys = Object.keys(value).toSorted();
  const members = keys.flatMap((key) => {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    return member === undefined ? [] : [`${JSON.stringify(key)}:${writeJson(member)}`];
  });
  return `{${members.join(',')}}`;
}
