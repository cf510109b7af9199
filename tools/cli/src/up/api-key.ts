import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Bus, openBucket } from '@reins/bus';
import type { ApiKeyRecord } from '@reins/contracts';
import { newApiKey, parseApiKey } from '@reins/service-kit/installation';

/** Returns the API key of this folder: the stored key if it is valid, else a new one. `created`: the key is new and must be shown. */
export async function ensureApiKey(
  bus: Bus,
  file: string,
): Promise<{ readonly key: string; readonly created: boolean }> {
  const bucket = await openBucket<ApiKeyRecord>(bus, 'keys');
  const kept = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
  const id = kept && parseApiKey(kept)?.id;
  if (kept && id) {
    const entry = await bucket.get(id);
    if (entry && !entry.value.revokedAt) return { key: kept, created: false };
  }
  const { key, record } = newApiKey('reins up', new Date());
  await bucket.create(record.id, record);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return { key, created: true };
}
