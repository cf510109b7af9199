import { createHash } from 'node:crypto';

const SHA256 = /^[0-9a-f]{64}$/;

/** SHA-256 in lower-case hex, which identifies contents and trees. */
export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && SHA256.test(value);
}
