import type { Bus, EventHeaders } from '@reins/bus';
import { type OrderedPublisher, Timers } from '@reins/bus';
import { type EventOf, inboxSubject, scheduleSubject } from '@reins/contracts';
import type { DueTimer } from '../run/run-ports.ts';
import type { TimerPort } from './run-alarms.ts';

/** Timers as messages of the inbox: published when they are due, or scheduled in the stream until then. */
export function inboxTimers(bus: Bus, publisher: OrderedPublisher, partitions: number): TimerPort {
  const timers = new Timers(bus, { publisher, inMemoryBelowMs: 0 });
  const addressOf = ({ type, workspaceId, requestId, effectId }: EventOf<'timer.due'>) =>
    inboxSubject({ type, workspaceId, runId: requestId, effectId }, partitions);
  return {
    fire: (timer) =>
      publisher.publishAll([
        { subject: addressOf(timer.body), data: encode(timer.body), headers: headersOf(bus, timer, 'due') },
      ]),
    schedule: (timer) => {
      const { workspaceId, requestId: runId, effectId, timer: name } = timer.body;
      return timers.set({
        subject: scheduleSubject({ workspaceId, runId }, effectId, name, partitions),
        target: addressOf(timer.body),
        due: new Date(timer.due),
        data: encode(timer.body),
        headers: headersOf(bus, timer, `${timer.due}.${timer.version ?? 0}`),
      });
    },
  };
}

const encode = (body: EventOf<'timer.due'>): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

function headersOf(bus: Bus, { body, version }: DueTimer, when: string): EventHeaders {
  const { type, requestId, effectId, timer, attempt } = body;
  const time = new Date().toISOString();
  const id = `${requestId}.${effectId}.${timer}.${attempt}.${when}`;
  return { id, type, source: bus.name, time, ...(version !== undefined && { version }) };
}
