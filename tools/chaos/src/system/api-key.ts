import { createHash, randomBytes } from 'node:crypto';
import { connectBus, openBucket } from '@reins/bus';
import type { ApiKeyRecord } from '@reins/contracts';

/** Makes an API key in a system that runs. */
export async function createApiKey(natsUrl: string): Promise<string> {
  const bus = await connectBus({ servers: natsUrl, name: 'chaos-key' });
  try {
    const bucket = await openBucket<ApiKeyRecord>(bus, 'keys');
    const id = randomBytes(6).toString('hex');
    const secret = randomBytes(24).toString('hex');
    const hash = createHash('sha256').update(secret).digest('hex');
    await bucket.create(id, { id, name: 'chaos', hash, createdAt: new Date().toISOString() });
    return `rk_${id}_${secret}`;
  } finally {
    await bus.close();
  }
}
