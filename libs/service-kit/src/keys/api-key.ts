import { createHash, randomBytes } from 'node:crypto';
import type { ApiKeyRecord } from '@reins/contracts';

/** `rk_<id>_<secret>`, both in hex. */
const FORM = /^rk_([0-9a-f]+)_([0-9a-f]+)$/;
const ID_BYTES = 6;
const SECRET_BYTES = 24;

export interface NewApiKey {
  /** Shown once: only the hash of its secret is kept. */
  readonly key: string;
  readonly record: ApiKeyRecord;
}

/** Makes an API key. */
export function newApiKey(name: string, now: Date): NewApiKey {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  return { key: `rk_${id}_${secret}`, record: { id, name, hash: hashSecret(secret), createdAt: now.toISOString() } };
}

/** The parts of a key; undefined when it has not the form of one. */
export function parseApiKey(key: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = FORM.exec(key) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** What is kept of a secret: SHA-256, hex. The secret has 192 random bits, so that there is nothing to guess. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
