import { createHash, randomBytes } from 'node:crypto';
import type { ApiKeyRecord } from '@reins/contracts';

/** `rk_<id>_<secret>`, id and secret in hex. */
const FORMAT = /^rk_([0-9a-f]+)_([0-9a-f]+)$/;
const ID_BYTES = 6;
const SECRET_BYTES = 24;

export interface NewApiKey {
  /** Shown once; only the hash of its secret is stored. */
  readonly key: string;
  readonly record: ApiKeyRecord;
}

/** Creates an API key and the record to store. */
export function newApiKey(name: string, now: Date): NewApiKey {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  return { key: `rk_${id}_${secret}`, record: { id, name, hash: hashSecret(secret), createdAt: now.toISOString() } };
}

/** Splits a key into id and secret. Returns undefined when the format is invalid. */
export function parseApiKey(key: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = FORMAT.exec(key) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** Hashes a secret for storage: SHA-256, hex. A fast hash is sufficient, since the secret has 192 random bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
