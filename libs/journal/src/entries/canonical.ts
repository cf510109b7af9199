/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and strings as ECMAScript writes them.
 * A writer of our own, because hashing is what a journal spends its time on; the tests hold it against the reference package.
 * @throws TypeError for what JSON cannot carry: a number that is not finite, a lone surrogate, a function
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`);
      return `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? list(value) : members(value as Readonly<Record<string, unknown>>);
    default:
      throw new TypeError(`a ${typeof value} cannot be written as JSON`);
  }
}

/** Nothing in it needs an escape, so quotes are all it takes. */
const PLAIN = /^[ !#-[\]-~]*$/;

function text(value: string): string {
  if (value.length < 64 && PLAIN.test(value)) return `"${value}"`;
  if (!value.isWellFormed()) throw new TypeError('a text with a lone surrogate cannot be written as canonical JSON');
  return JSON.stringify(value);
}

function list(values: readonly unknown[]): string {
  let out = '[';
  for (let i = 0; i < values.length; i += 1) {
    const item = values[i];
    out += (i === 0 ? '' : ',') + (item === undefined ? 'null' : canonicalJson(item));
  }
  return `${out}]`;
}

function members(value: Readonly<Record<string, unknown>>): string {
  let out = '';
  for (const key of sorted(Object.keys(value))) {
    const member = value[key];
    if (member !== undefined) out += `${out === '' ? '' : ','}${text(key)}:${canonicalJson(member)}`;
  }
  return `{${out}}`;
}

/** Most objects here have few members, often in order already: looking is cheaper than sorting. */
function sorted(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i += 1) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  return keys;
}
