import type { BlobRef, Blobs } from './blobs.ts';

/** Bodies up to this size are sent in the message itself. */
export const INLINE_LIMIT = 64 * 1024;

const START = '{"$blob":';
const REFERENCE = /^\{"\$blob":\{"sha256":"([0-9a-f]{64})","size":(\d+)\}\}$/;
const MAX_REFERENCE = 128;

/** Returns the body when it is small; otherwise stores it as a blob and returns a reference to it. */
export async function externalise(
  blobs: Pick<Blobs, 'put'>,
  body: Uint8Array,
  limit: number = INLINE_LIMIT,
): Promise<Uint8Array> {
  // A small body that looks like a reference is stored as a blob, too: a consumer would mistake it for a reference.
  if (body.length <= limit && !parseReference(body)) return body;
  return encodeReference(await blobs.put(body));
}

/** Resolves a reference to its blob, verified by hash. Returns any other body unchanged. */
export async function inline(blobs: Pick<Blobs, 'get'>, body: Uint8Array): Promise<Uint8Array> {
  const reference = parseReference(body);
  return reference ? blobs.get(reference) : body;
}

function encodeReference({ sha256, size }: BlobRef): Uint8Array {
  return new TextEncoder().encode(`${START}${JSON.stringify({ sha256, size })}}`);
}

/** Returns undefined when the body is not a reference. */
export function parseReference(body: Uint8Array): BlobRef | undefined {
  if (body.length > MAX_REFERENCE || body.length < START.length) return undefined;
  const found = REFERENCE.exec(new TextDecoder().decode(body));
  return found ? { sha256: found[1] as string, size: Number(found[2]) } : undefined;
}
