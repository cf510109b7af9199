import type { Bus, EventHeaders } from '@reins/bus';
import { type OrderedPublisher, Timers } from '@reins/bus';
import { type EventOf, inboxSubject, scheduleSubject } from '@reins/contracts';
import type { TimerPort } from './run-alarms.ts';

/** Timers as messages of the inbox: published when they are due, or scheduled in the stream until then. */
export function inboxTimers(bus: Bus, publisher: OrderedPublisher, partitions: number): TimerPort {
  const timers = new Timers(bus, { publisher, inMemoryBelowMs: 0 });
  const addressOf = ({ type, workspaceId, requestId, effectId }: EventOf<'timer.due'>) =>
    inboxSubject({ type, workspaceId, runId: requestId, effectId }, partitions);
  return {
    fire: (body) =>
      publisher.publishAll([{ subject: addressOf(body), data: encode(body), headers: headersOf(bus, body, 'due') }]),
    schedule: (body, due) =>
      timers.set({
        subject: scheduleSubject(
          { workspaceId: body.workspaceId, runId: body.requestId },
          body.effectId,
          body.timer,
          partitions,
        ),
        target: addressOf(body),
        due,
        data: encode(body),
        headers: headersOf(bus, body, String(due.getTime())),
      }),
  };
}

const encode = (body: EventOf<'timer.due'>): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

function headersOf(
  bus: Bus,
  { type, requestId, effectId, timer, attempt }: EventOf<'timer.due'>,
  when: string,
): EventHeaders {
  const time = new Date().toISOString();
  return { id: `${requestId}.${effectId}.${timer}.${attempt}.${when}`, type, source: bus.name, time };
}
