import { ACK, type Task } from './task.ts';

/** The share of the ack wait after which the deadline of a message is extended, and how often that is checked. */
const EXTEND_AFTER_SHARE = 0.45;
const CHECKS_PER_ACK_WAIT = 6;

/** Extends the ack deadlines of unfinished messages. A message that was just received needs no extension. */
export function extendAckDeadlines(tasks: ReadonlyMap<unknown, Task>, ackWaitMs: number): NodeJS.Timeout {
  const extend = (): void => {
    const now = performance.now();
    for (const task of tasks.values()) {
      if (now - task.extendedAt < EXTEND_AFTER_SHARE * ackWaitMs) continue;
      task.raw.respond(ACK.inProgress);
      task.extendedAt = now;
    }
  };
  return setInterval(extend, ackWaitMs / CHECKS_PER_ACK_WAIT).unref();
}
