import { describe, expect, test } from '@jest/globals';
import type { ApiKeyRecord } from '@reins/contracts';
import { newApiKey } from '@reins/service-kit';
import { revoke } from './revoke.ts';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const { record } = newApiKey('ci', NOW);

/** A bucket with one key, whose record another writer changes before each of the first `races` updates. */
function bucketWith(races: number) {
  const stored = { value: record, revision: 1 };
  let left = races;
  return {
    stored,
    get: async (key: string) => (key === record.id ? { key, ...stored } : undefined),
    update: async (_key: string, value: ApiKeyRecord, revision: number) => {
      if (left > 0) {
        left -= 1;
        stored.revision += 1;
      }
      if (revision !== stored.revision) return undefined;
      stored.value = value;
      stored.revision += 1;
      return stored.revision;
    },
  };
}

describe('revoking a key', () => {
  test.each([0, 1, 5])('is stored after %i lost updates', async (races) => {
    const bucket = bucketWith(races);
    await revoke(bucket, record.id, NOW);
    expect(bucket.stored.value).toEqual({ ...record, revokedAt: NOW.toISOString() });
  });

  test('fails when the change could not be stored', async () => {
    const bucket = bucketWith(Number.POSITIVE_INFINITY);
    await expect(revoke(bucket, record.id, NOW)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(bucket.stored.value).toEqual(record);
  });

  test('is wrong usage for an unknown key', async () => {
    await expect(revoke(bucketWith(0), 'unknown', NOW)).rejects.toMatchObject({ code: 'wrong_usage' });
  });
});
