import { Inject, Injectable } from '@nestjs/common';
import { HarnessWatch } from '@reins/service-kit';
import { isQueued, type StageQueue, type StageRunRow, stageQueueOf } from '@reins/store';
import { ReadModel } from './read-model.ts';
import type { QueueView } from './stage-run.responses.ts';

/** The places of stages in the queues of their runtimes. */
export type QueuePlaces = ReadonlyMap<StageRunRow, QueueView>;

/** Finds out how long stages will wait for a host: from the read model, and from the slots that hosts offer. */
@Injectable()
export class StageQueues {
  constructor(
    private readonly model: ReadModel,
    @Inject(HarnessWatch) private readonly harnesses: Pick<HarnessWatch, 'slotsOf'>,
  ) {}

  /** The place of each stage that waits for a host. Without the read model, places are unknown. */
  async placesOf(stageRuns: readonly StageRunRow[]): Promise<QueuePlaces> {
    const places = new Map<StageRunRow, QueueView>();
    for (const row of stageRuns.filter(isQueued)) {
      const queue = await this.model.query((db) => stageQueueOf(db, row));
      if (queue.ok) places.set(row, placeIn(queue.value, this.harnesses.slotsOf(row.runtime_id)));
    }
    return places;
  }
}

/** Pure. @param slots those of all live hosts of the runtime */
export function placeIn({ ahead, meanMs }: StageQueue, slots: number): QueueView {
  const position = ahead + 1;
  if (meanMs === undefined || slots === 0) return { position, slots };
  return { position, slots, estimatedWaitMs: Math.round((position * meanMs) / slots) };
}
