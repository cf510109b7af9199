const SIGNATURES: readonly (readonly [string, readonly number[], number])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 0],
  ['image/jpeg', [0xff, 0xd8, 0xff], 0],
  ['image/gif', [0x47, 0x49, 0x46, 0x38], 0],
  ['image/webp', [0x57, 0x45, 0x42, 0x50], 8],
];

/** The media type of a supported image, from its first bytes. Undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(([, signature, at]) => signature.every((byte, index) => bytes[at + index] === byte))?.[0];
}
