import type { Blobs } from '@reins/bus';
import { canonicalJson, type JsonValue } from '@reins/contracts';
import type { LargeValues } from '../large/large-values.ts';

/** Stores large values in the object store `blobs`. The key is the hash of the canonical JSON. */
export function blobValues(blobs: Pick<Blobs, 'put' | 'get'>): LargeValues {
  return {
    put: (value) => blobs.put(new TextEncoder().encode(canonicalJson(value))),
    get: async (ref) => JSON.parse(new TextDecoder().decode(await blobs.get(ref))) as JsonValue,
  };
}
