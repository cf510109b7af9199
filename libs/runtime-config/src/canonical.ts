import { hash } from 'node:crypto';
import { canonicalJson } from '@reins/contracts';

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

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
export function memoizedHash(object: object): string {
  const known = objectHashes.get(object);
  if (known !== undefined) return known;
  const hash = canonicalHash(object);
  objectHashes.set(object, hash);
  return hash;
}
