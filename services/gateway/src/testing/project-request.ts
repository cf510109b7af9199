import { Blobs } from '@reins/bus';
import { readLogMessage, writeBatch } from '@reins/store';
import { RunLog } from '../events/run-log.ts';
import type { TestGateway } from './test-gateway.ts';

/** Projects a request once, in place of the projector. */
export async function projectRequest(api: TestGateway, requestId: string, workspaceId = 'quickstart'): Promise<void> {
  const log = new RunLog(api.bus, await Blobs.open(api.bus));
  const { items, upTo } = await log.page({ requestId, workspaceId }, 0, 1_000);
  await writeBatch(
    api.db,
    items.map((message) => readLogMessage(message)),
    { stream: 'EVENTS', generation: 1, seq: upTo },
  );
}
