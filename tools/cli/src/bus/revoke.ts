import type { TypedBucket } from '@reins/bus';
import { type ApiKeyRecord, ReinsError } from '@reins/contracts';

/** Somebody else writes the same record: so often in a row is no chance any more. */
const TRIES = 10;

/**
 * Marks a key as revoked; resolves only when that is stored.
 * @throws ReinsError `wrong_usage` for an unknown key, `service_unavailable` when others kept writing its record
 */
export async function revoke(
  bucket: Pick<TypedBucket<ApiKeyRecord>, 'get' | 'update'>,
  id: string,
  now: Date,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const entry = await bucket.get(id);
    if (!entry) {
      const hint = '`reins keys list` shows them';
      throw new ReinsError({ code: 'wrong_usage', message: `there is no key ${id}`, hint });
    }
    const record = { ...entry.value, revokedAt: now.toISOString() };
    if ((await bucket.update(id, record, entry.revision)) !== undefined) return;
  }
  throw new ReinsError({
    code: 'service_unavailable',
    message: `key ${id} is not revoked: its record changed ${TRIES} times meanwhile`,
  });
}
