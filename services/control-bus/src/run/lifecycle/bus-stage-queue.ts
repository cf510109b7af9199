import { ackFloorOf, type Bus, lastMessageOn, STAGE_WORK_TYPE, workerDurable } from '@reins/bus';
import { eventSubject } from '@reins/contracts';
import type { StageQueue } from '../run-ports.ts';

/**
 * The queue of stage requests, as the durable of their runtime knows it. It acknowledges a request when that is
 * answered. A request at or below its acknowledgement floor is not waiting; nor is one that left the event log. The
 * first host of a runtime creates its durable, which begins with the oldest request.
 */
export const busStageQueue = (bus: Bus): StageQueue => ({
  async holds({ workspaceId, runId: requestId }, runtimeId) {
    const subject = eventSubject({ type: STAGE_WORK_TYPE, workspaceId, requestId, runtimeId });
    const last = await lastMessageOn(bus, 'EVENTS', subject);
    if (!last) return false;
    const floor = await ackFloorOf(bus, 'EVENTS', workerDurable(STAGE_WORK_TYPE, runtimeId));
    return floor === undefined || last.seq > floor;
  },
});
