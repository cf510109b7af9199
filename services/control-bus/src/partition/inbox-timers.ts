import type { EventHeaders, OrderedPublisher, Timers } from '@reins/bus';
import { defined, type EventOf, inboxSubject, scheduleSubject, scheduleSubjects } from '@reins/contracts';
import type { DueTimer } from '../run/run-ports.ts';
import type { Clock } from './clock.ts';
import type { TimerPort } from './run-alarms.ts';

export interface InboxTimersOptions {
  readonly source: string;
  readonly publisher: Pick<OrderedPublisher, 'publishAll'>;
  readonly timers: Pick<Timers, 'set' | 'cancel'>;
  readonly partitions: number;
  readonly clock: Clock;
}

/** Timers as inbox messages: published immediately when they are due, or scheduled in the stream. */
export function inboxTimers(options: InboxTimersOptions): TimerPort {
  const { partitions, publisher, timers } = options;
  const addressOf = ({ type, workspaceId, requestId, effectId }: EventOf<'timer.due'>) =>
    inboxSubject({ type, workspaceId, runId: requestId, effectId }, partitions);
  return {
    async fire(timer) {
      // A new message id for each attempt: the receiver of the first message may have found it too early by its own clock.
      const headers = headersOf(options, timer, `due.${options.clock.now().getTime()}`);
      await publisher.publishAll([{ subject: addressOf(timer.body), data: encode(timer.body), headers }]);
    },
    schedule: (timer) => {
      const { workspaceId, requestId: runId, effectId, timer: name } = timer.body;
      return timers.set({
        subject: scheduleSubject({ workspaceId, runId }, effectId, name, partitions),
        target: addressOf(timer.body),
        due: new Date(timer.due),
        data: encode(timer.body),
        headers: headersOf(options, timer, `${timer.due}.${timer.version ?? 0}`),
      });
    },
    async clear(run) {
      await timers.cancel(scheduleSubjects(run, partitions));
    },
  };
}

const encode = (body: EventOf<'timer.due'>): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

function headersOf({ clock, source }: InboxTimersOptions, { body, version }: DueTimer, when: string): EventHeaders {
  const { type, requestId, effectId, timer, attempt } = body;
  const time = clock.now().toISOString();
  const id = `${requestId}.${effectId}.${timer}.${attempt}.${when}`;
  return { id, type, source, time, ...defined({ version }) };
}
