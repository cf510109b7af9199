import { hash } from 'node:crypto';

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * The canonical JSON form of a value (RFC 8785): members sorted by UTF-16 code units, no white space, absent members left out.
 * Two values with equal meaning have one text, so its hash can stand for them on any machine.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as Readonly<Record<string, unknown>>;
  let members = '';
  // The order of `sort` is that of UTF-16 code units.
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** SHA-256 of a text's UTF-8 bytes, 64 hex digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}

/** The hash of a value's canonical form. */
export function canonicalHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

const objectHashes = new WeakMap<object, string>();

/** The hash of an object that is never changed and comes again: computed once for its lifetime. */
export function sharedHash(object: object): string {
  const known = objectHashes.get(object);
  if (known !== undefined) return known;
  const hash = canonicalHash(object);
  objectHashes.set(object, hash);
  return hash;
}
