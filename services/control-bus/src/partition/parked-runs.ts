import type { TypedBucket } from '@reins/bus';
import { type ParkedRun, parkedKeyOf, parkedKeys, type RunAddress } from '@reins/contracts';

/** The records of parked runs, for operators and for the next owner. */
export interface ParkedRuns {
  put(partition: number, record: ParkedRun): Promise<void>;
  delete(partition: number, run: RunAddress): Promise<void>;
  list(partition: number): Promise<readonly ParkedRun[]>;
}

/** Keeps the records in the KV bucket `positions`. */
export function parkedRunsIn(bucket: Pick<TypedBucket<ParkedRun>, 'get' | 'put' | 'delete' | 'keys'>): ParkedRuns {
  return {
    put: async (partition, record) => {
      const { requestId: runId, workspaceId } = record;
      await bucket.put(parkedKeyOf(partition, { runId, workspaceId }), record);
    },
    delete: async (partition, run) => void (await bucket.delete(parkedKeyOf(partition, run))),
    list: async (partition) => {
      const keys = await bucket.keys(parkedKeys(partition));
      const entries = await Promise.all(keys.map((key) => bucket.get(key)));
      return entries.flatMap((entry) => (entry ? [entry.value] : []));
    },
  };
}
