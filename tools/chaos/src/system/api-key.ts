import { connectBus, openBucket } from '@reins/bus';
import type { ApiKeyRecord } from '@reins/contracts';
import { newApiKey } from '@reins/service-kit/installation';

/** Creates an API key for the load. @param natsUrl one URL, or several separated by commas */
export async function createApiKey(natsUrl: string): Promise<string> {
  const bus = await connectBus({ servers: natsUrl.split(','), name: 'chaos' });
  try {
    const { key, record } = newApiKey('chaos', new Date());
    await (await openBucket<ApiKeyRecord>(bus, 'keys')).create(record.id, record);
    return key;
  } finally {
    await bus.close();
  }
}
