import { hash } from 'node:crypto';
import { canonicalJson } from '@reins/contracts';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** SHA-256 of a text in UTF-8, as 64 hex digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}

/** The SHA-256 of a value's canonical JSON. */
export function canonicalHash(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

const objectHashes = new WeakMap<object, string>();

/** Like `canonicalHash`, computed once per object. The object must be immutable. */
export function memoizedHash(object: object): string {
  const known = objectHashes.get(object);
  if (known !== undefined) return known;
  const hash = canonicalHash(object);
  objectHashes.set(object, hash);
  return hash;
}
