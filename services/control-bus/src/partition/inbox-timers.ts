import type { EventPublisher, OutgoingEvent, Timers } from '@reins/bus';
import { defined, inboxSubject, scheduleSubject, scheduleSubjects } from '@reins/contracts';
import type { DueTimer } from '../run/run-ports.ts';
import type { Clock } from './clock.ts';
import type { TimerPort } from './run-alarms.ts';

export interface InboxTimersOptions {
  readonly events: Pick<EventPublisher, 'publish' | 'envelope'>;
  readonly timers: Pick<Timers, 'set' | 'cancel'>;
  readonly partitions: number;
  readonly clock: Clock;
}

/** Timers as inbox messages: published immediately when they are due, or scheduled in the stream. */
export function inboxTimers(options: InboxTimersOptions): TimerPort {
  const { clock, events, partitions, timers } = options;
  const eventOf = ({ body, version }: DueTimer, when: string): OutgoingEvent => {
    const { type, workspaceId, requestId, effectId, timer, attempt } = body;
    return {
      id: `${requestId}.${effectId}.${timer}.${attempt}.${when}`,
      subject: inboxSubject({ type, workspaceId, runId: requestId, effectId }, partitions),
      body,
      ...defined({ version }),
    };
  };
  return {
    async fire(timer) {
      // A new message id for each attempt: the receiver of the first message may have found it too early by its own clock.
      await events.publish(eventOf(timer, `due.${clock.now().getTime()}`));
    },
    schedule: (timer) => {
      const { workspaceId, requestId: runId, effectId, timer: name } = timer.body;
      const { subject: target, data, headers } = events.envelope(eventOf(timer, `${timer.due}.${timer.version ?? 0}`));
      const subject = scheduleSubject({ workspaceId, runId }, effectId, name, partitions);
      return timers.set({ subject, target, due: new Date(timer.due), data, headers });
    },
    async clear(run) {
      await timers.cancel(scheduleSubjects(run, partitions));
    },
  };
}
