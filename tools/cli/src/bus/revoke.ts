import type { TypedBucket } from '@reins/bus';
import { type ApiKeyRecord, ReinsError } from '@reins/contracts';

/** Attempts to update the record while others change it too. */
const MAX_ATTEMPTS = 10;

/**
 * Marks a key as revoked. Resolves when the change is stored.
 * @throws ReinsError `wrong_usage` for an unknown key, `service_unavailable` when others kept changing its record
 */
export async function revoke(
  bucket: Pick<TypedBucket<ApiKeyRecord>, 'get' | 'update'>,
  id: string,
  now: Date,
): Promise<void> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const entry = await bucket.get(id);
    if (!entry) {
      const hint = 'List the keys with `reins keys list`.';
      throw new ReinsError({ code: 'wrong_usage', message: `key ${id} does not exist`, hint });
    }
    const record = { ...entry.value, revokedAt: now.toISOString() };
    if ((await bucket.update(id, record, entry.revision)) !== undefined) return;
  }
  throw new ReinsError({
    code: 'service_unavailable',
    message: `key ${id} was not revoked: its record changed during each of ${MAX_ATTEMPTS} attempts`,
  });
}
