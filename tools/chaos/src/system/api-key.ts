import { openBucket } from '@reins/bus';
import type { ApiKeyRecord } from '@reins/contracts';
import { newApiKey } from '@reins/service-kit/installation';
import type { System } from '@reins/supervisor';
import { connectOperator } from './connect.ts';

/** Creates an API key for the load. */
export async function createApiKey(system: System): Promise<string> {
  const bus = await connectOperator(system, 'chaos');
  try {
    const { key, record } = newApiKey('chaos', new Date());
    await (await openBucket<ApiKeyRecord>(bus, 'keys')).create(record.id, record);
    return key;
  } finally {
    await bus.close();
  }
}
