import { Injectable } from '@nestjs/common';
import { type AnyEvent, defined, type EventType, ReinsError } from '@reins/contracts';
import { listEvents } from '@reins/store';
import { RunLog } from '../events/run-log.ts';
import { ReadModel } from '../requests/read-model.ts';
import type { AcceptedRequest } from '../requests/request-records.ts';
import type { RequestMemory } from './memory.responses.ts';

const TYPES = [
  'runtime.memory.recall.completed',
  'runtime.memory.recall.failed',
] as const satisfies readonly EventType[];

/** Recalls are among the first events of a run. */
const MAX_EVENTS = 1_000;

interface TimedEvent {
  readonly time: string;
  readonly body: AnyEvent;
}

/** What requests read from memory, by their events. */
@Injectable()
export class RequestMemories {
  constructor(
    private readonly log: RunLog,
    private readonly model: ReadModel,
  ) {}

  /** @throws ReinsError `service_unavailable` when the events have left the log, and Postgres is unavailable */
  async of(request: AcceptedRequest): Promise<RequestMemory> {
    const items = await this.log.itemsOf(request, TYPES);
    if (items.length > 0) return viewOf(items.flatMap((item) => ('event' in item ? [item.event] : [])));
    return (await this.log.hasStart(request)) ? viewOf([]) : viewOf(await this.#trimmed(request));
  }

  async #trimmed({ requestId }: AcceptedRequest): Promise<TimedEvent[]> {
    const found = await this.model.query((db) => listEvents(db, requestId, { afterSeq: 0, limit: MAX_EVENTS }));
    if (!found.ok)
      throw new ReinsError({
        code: 'service_unavailable',
        message: 'events of this age are only in Postgres, which is unavailable',
      });
    return found.value
      .filter(({ type }) => (TYPES as readonly string[]).includes(type))
      .map(({ occurred_at: time, body }) => ({ time, body: body as unknown as AnyEvent }));
  }
}

function viewOf(events: readonly TimedEvent[]): RequestMemory {
  const recalled = events.flatMap(({ time, body }) => {
    if (body.type !== 'runtime.memory.recall.completed') return [];
    const { namespace, recordIds, context, omitted } = body;
    return [
      { namespace, recordIds: [...recordIds], context: context as string, recalledAt: time, ...defined({ omitted }) },
    ];
  });
  const failed = events.flatMap(({ time, body }) =>
    body.type === 'runtime.memory.recall.failed'
      ? [{ ...defined({ namespace: body.namespace }), error: { ...body.error }, failedAt: time }]
      : [],
  );
  return { recalled, failed };
}
