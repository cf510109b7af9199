/** The length of a SHA-256 in hex. */
const HASH_LENGTH = 64;

const IS_HEX = new Uint8Array(256);
for (const character of '0123456789abcdef') IS_HEX[character.charCodeAt(0)] = 1;

const isHex = (bytes: Uint8Array, at: number): boolean => IS_HEX[bytes[at] ?? 0] === 1;

/**
 * Finds everything in the bytes that may be the hash of a blob: 64 hex digits. What refers to a blob always has its hash
 * as text, in whatever form. A text that only looks like a hash keeps a blob at worst.
 */
export function eachHash(bytes: Uint8Array, found: (bytes: Uint8Array, start: number) => void): void {
  // A run of 64 digits has one at a multiple of 64, so most bytes are never looked at.
  for (let probe = HASH_LENGTH - 1; probe < bytes.length; probe += HASH_LENGTH) {
    if (!isHex(bytes, probe)) continue;
    let start = probe;
    while (start > 0 && isHex(bytes, start - 1)) start -= 1;
    let end = probe + 1;
    while (end < bytes.length && isHex(bytes, end)) end += 1;
    for (let at = start; at + HASH_LENGTH <= end; at += 1) found(bytes, at);
    // The next probe after this run.
    while (probe + HASH_LENGTH < end) probe += HASH_LENGTH;
  }
}

/** The hex digits at the end of the bytes, which the next bytes may continue; at most 63. */
export function openEnd(bytes: Uint8Array): Uint8Array {
  let start = bytes.length;
  while (start > 0 && bytes.length - start < HASH_LENGTH - 1 && isHex(bytes, start - 1)) start -= 1;
  return bytes.subarray(start);
}
