import { type Bus, openBucket, type TypedBucket } from '@reins/bus';
import { type ParkedRun, parkedKeyOf, partitionOf } from '@reins/contracts';
import type { ParkedView } from './requests.responses.ts';

/** Reads why requests are parked, from the records of the control bus. */
export class ParkedRequests {
  readonly #bucket: TypedBucket<ParkedRun>;
  readonly #partitions: number;

  private constructor(bucket: TypedBucket<ParkedRun>, partitions: number) {
    this.#bucket = bucket;
    this.#partitions = partitions;
  }

  static async open(bus: Bus, partitions: number): Promise<ParkedRequests> {
    return new ParkedRequests(await openBucket<ParkedRun>(bus, 'positions'), partitions);
  }

  /** Why the request is parked; undefined if it is not, or if this is unknown at the moment. */
  async find(workspaceId: string, requestId: string): Promise<ParkedView | undefined> {
    const key = parkedKeyOf(partitionOf(requestId, this.#partitions), { workspaceId, runId: requestId });
    const record = await this.#bucket.get(key).catch(() => undefined);
    if (!record) return undefined;
    const { code, message, since } = record.value;
    return { code, message, since };
  }
}
