import { Inject, Injectable } from '@nestjs/common';
import { ReinsError } from '@reins/contracts';
import {
  type Database,
  findRequest,
  listRequests,
  type RequestFilter,
  type RequestRows,
  readProjectionPosition,
  requestFromLog,
} from '@reins/store';
import { EventHub } from '../events/event-hub.ts';
import { RunLog } from '../events/run-log.ts';
import { ReadModel } from './read-model.ts';
import { type AcceptedRequest, RequestRecords } from './request-records.ts';
import { acceptedView, requestSummary, requestView } from './request-view.ts';
import type { RequestPage, RequestView } from './requests.responses.ts';

/** Reads requests from the read model or the event log. */
@Injectable()
export class RequestReader {
  constructor(
    @Inject(RequestRecords) private readonly records: RequestRecords,
    @Inject(ReadModel) private readonly model: ReadModel,
    @Inject(RunLog) private readonly log: RunLog,
    @Inject(EventHub) private readonly hub: EventHub,
  ) {}

  /**
   * The current state of a request. Read from the read model if it has caught up with the events that this process has seen, otherwise from
   * the event log.
   * @throws ReinsError `request_not_found`, `service_unavailable`
   */
  async find(requestId: string): Promise<RequestView> {
    const [recorded, known] = await Promise.all([
      settled(this.records.find(requestId)),
      this.model.query((db) => this.#current(db, requestId)),
    ]);
    const record = recorded.ok ? recorded.value : undefined;
    if (known.ok && known.value) return requestView(known.value, record);
    if (!recorded.ok) throw recorded.error;
    if (record) return this.#fromLog(record);
    if (known.ok) {
      throw new ReinsError({ code: 'request_not_found', message: `request ${requestId} does not exist`, path: 'id' });
    }
    throw new ReinsError({
      code: 'service_unavailable',
      message: `the request can only be in Postgres, which is unavailable: ${known.reason}`,
    });
  }

  /** Lists requests, newest first. @throws ReinsError `service_unavailable` without the read model */
  async list(filter: RequestFilter): Promise<RequestPage> {
    const found = await this.model.query((db) => listRequests(db, { ...filter, limit: filter.limit + 1 }));
    if (!found.ok)
      throw new ReinsError({ code: 'service_unavailable', message: `Postgres is unavailable: ${found.reason}` });
    const rows = found.value.slice(0, filter.limit);
    const last = rows.at(-1);
    const more = found.value.length > filter.limit && last !== undefined;
    return { requests: rows.map((row) => requestSummary(row)), ...(more && { next: last.request_id }) };
  }

  async #fromLog(record: AcceptedRequest): Promise<RequestView> {
    const rows = requestFromLog(await this.log.items(record), record.requestId);
    return rows ? requestView(rows, record) : acceptedView(record);
  }

  /** The rows of a request; undefined if this process has seen newer events. */
  async #current(db: Database, requestId: string): Promise<RequestRows | undefined> {
    const seen = this.hub.lastSeq(requestId);
    // Read before the rows, so that the rows are at least as new.
    const projected = seen === undefined ? 0 : ((await readProjectionPosition(db))?.seq ?? 0);
    const rows = await findRequest(db, requestId);
    const current = seen === undefined || seen <= projected || rows?.request.ended_at !== null;
    return current ? rows : undefined;
  }
}

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}
