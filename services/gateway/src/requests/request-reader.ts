import { Inject, Injectable } from '@nestjs/common';
import { ReinsError } from '@reins/contracts';
import {
  childRunsOf,
  type Database,
  findRequest,
  listRequests,
  type RequestFilter,
  type RequestRow,
  type RequestRows,
  readProjectionPosition,
  requestFromLog,
} from '@reins/store';
import { EventHub } from '../events/event-hub.ts';
import { RunLog } from '../events/run-log.ts';
import { ReadModel } from './read-model.ts';
import { RequestRecords } from './request-records.ts';
import { acceptedView, nestedSummary, requestView } from './request-view.ts';
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
    // A child run was not submitted here, so it has no record.
    const run = record ?? (await this.log.subjectsOf(requestId));
    const rows = run && requestFromLog(await this.log.itemsWithChildren(run), requestId);
    if (rows) return requestView(rows, record);
    if (record) return acceptedView(record);
    if (known.ok) {
      throw new ReinsError({ code: 'request_not_found', message: `request ${requestId} does not exist`, path: 'id' });
    }
    throw new ReinsError({
      code: 'service_unavailable',
      message: `the request can only be in Postgres, which is unavailable: ${known.reason}`,
    });
  }

  /** Lists requests with their child runs, newest first. @throws ReinsError `service_unavailable` without the read model */
  async list(filter: RequestFilter): Promise<RequestPage> {
    const found = await this.model.query(async (db) => {
      const rows = await listRequests(db, { ...filter, limit: filter.limit + 1 });
      return { rows, children: await childRunsOf(db, rows) };
    });
    if (!found.ok)
      throw new ReinsError({ code: 'service_unavailable', message: `Postgres is unavailable: ${found.reason}` });
    const { children } = found.value;
    const rows = found.value.rows.slice(0, filter.limit);
    const last = rows.at(-1);
    const more = found.value.rows.length > filter.limit && last !== undefined;
    return { requests: rows.map((row) => nestedSummary(row, children)), ...(more && { next: last.request_id }) };
  }

  /** The rows of a request; undefined if this process has seen newer events of it or of its child runs. */
  async #current(db: Database, requestId: string): Promise<RequestRows | undefined> {
    // Read before the rows, so that the rows are at least as new.
    const projected = (await readProjectionPosition(db))?.seq ?? 0;
    const rows = await findRequest(db, requestId);
    const isCurrent = ({ request_id, ended_at }: Pick<RequestRow, 'request_id' | 'ended_at'>): boolean =>
      ended_at !== null || (this.hub.lastSeq(request_id) ?? 0) <= projected;
    const runs = rows ? [rows.request, ...rows.children] : [{ request_id: requestId, ended_at: null }];
    return runs.every(isCurrent) ? rows : undefined;
  }
}

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}
