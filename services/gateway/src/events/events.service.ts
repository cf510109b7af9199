import { Injectable } from '@nestjs/common';
import { defined, type JsonValue, ReinsError, subjectTypeOf } from '@reins/contracts';
import { type EventRow, type LogItem, listEvents, readLogMessage } from '@reins/store';
import { ReadModel } from '../requests/read-model.ts';
import type { AcceptedRequest } from '../requests/request-records.ts';
import type { EventPage, EventView } from './events.dto.ts';
import { RunLog } from './run-log.ts';

/** Reads pages of events: from the log, or from the read model for events that were trimmed from the log. */
@Injectable()
export class EventPages {
  constructor(
    private readonly log: RunLog,
    private readonly model: ReadModel,
  ) {}

  async page(request: AcceptedRequest, after: number, limit: number): Promise<EventPage> {
    const firstSeq = await this.log.firstSeq();
    if (after + 1 < firstSeq) {
      const old = await this.#trimmed(request, after, firstSeq, limit);
      if (old.length > 0) return { events: old.map(rowView), next: old.at(-1)?.seq ?? after, more: true };
    }
    const { items, upTo, more } = await this.log.page(request, after, limit);
    return { events: items.flatMap((message) => itemView(readLogMessage(message))), next: Math.max(after, upTo), more };
  }

  /** Reads trimmed events from the read model. Without Postgres, fails if the run started before the oldest event of the log. */
  async #trimmed(request: AcceptedRequest, afterSeq: number, beforeSeq: number, limit: number): Promise<EventRow[]> {
    const rows = await this.model.query((db) => listEvents(db, request.requestId, { afterSeq, beforeSeq, limit }));
    if (rows.ok) return rows.value;
    if (await this.log.hasStart(request)) return [];
    throw new ReinsError({
      code: 'service_unavailable',
      message: 'events of this age are only in Postgres, which is unavailable',
    });
  }
}

function itemView(item: LogItem): EventView[] {
  if (!('event' in item)) return [];
  const { seq, id, source, time, version, causation, body } = item.event;
  const more = defined({ version, causation });
  return [{ seq, id, type: subjectTypeOf(body), source, time, ...more, body: body as unknown as JsonValue }];
}

function rowView({ seq, ce_id, type, source, occurred_at, version, causation, body }: EventRow): EventView {
  const more = { ...(version !== null && { version }), ...(causation !== null && { causation }) };
  return { seq, id: ce_id, type, source, time: occurred_at, ...more, body };
}
