import { connectBus, openBucket } from '@reins/bus';
import type { ApiKeyRecord } from '@reins/contracts';
import { newApiKey } from '@reins/service-kit';

/** Makes an API key for the load. */
export async function createApiKey(natsUrl: string): Promise<string> {
  const bus = await connectBus({ servers: natsUrl, name: 'chaos' });
  try {
    const { key, record } = newApiKey('chaos', new Date());
    await (await openBucket<ApiKeyRecord>(bus, 'keys')).create(record.id, record);
    return key;
  } finally {
    await bus.close();
  }
}
