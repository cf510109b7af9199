import type { BlobRef, Blobs } from './blobs.ts';

/** Bodies up to this size travel in the message itself. */
export const INLINE_LIMIT = 64 * 1024;

const START = '{"$blob":';
const REFERENCE = /^\{"\$blob":\{"sha256":"([0-9a-f]{64})","size":(\d+)\}\}$/;
const MAX_REFERENCE = 128;

/** The body itself when it is small, a reference to its blob when it is not. */
export async function externalise(
  blobs: Pick<Blobs, 'put'>,
  body: Uint8Array,
  limit: number = INLINE_LIMIT,
): Promise<Uint8Array> {
  // A body that looks like a reference must not be taken for one.
  if (body.length <= limit && !parseReference(body)) return body;
  return encodeReference(await blobs.put(body));
}

/** The body that was meant: fetched and verified when it is a reference. */
export async function inline(blobs: Pick<Blobs, 'get'>, body: Uint8Array): Promise<Uint8Array> {
  const reference = parseReference(body);
  return reference ? blobs.get(reference) : body;
}

export function encodeReference({ sha256, size }: BlobRef): Uint8Array {
  return new TextEncoder().encode(`${START}${JSON.stringify({ sha256, size })}}`);
}

/** Undefined when the body is no reference. */
export function parseReference(body: Uint8Array): BlobRef | undefined {
  if (body.length > MAX_REFERENCE || body.length < START.length) return undefined;
  const found = REFERENCE.exec(new TextDecoder().decode(body));
  return found ? { sha256: found[1] as string, size: Number(found[2]) } : undefined;
}
