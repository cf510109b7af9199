import { Injectable } from '@nestjs/common';
import { assertNotExpired, ReinsError } from '@reins/contracts';
import {
  childRunsOf,
  type Database,
  findRequest,
  knownRequests,
  listRequests,
  progressOf,
  type RequestFilter,
  type RequestRow,
  type RequestRows,
  readProjectionPosition,
  requestFromLog,
  retriesOf,
} from '@reins/store';
import { EventHub } from '../events/event-hub.ts';
import { RunLog } from '../events/run-log.ts';
import { ParkedRequests } from './parked-requests.ts';
import { ReadModel } from './read-model.ts';
import { type AcceptedRequest, RequestRecords } from './request-records.ts';
import { acceptedSummary, acceptedView, nestedSummary, requestView } from './request-view.ts';
import type { RequestPage, RequestView, UnavailableServerView } from './requests.responses.ts';
import { StageQueues } from './stage-queues.ts';

const SERVER_UNAVAILABLE = 'runtime.mcp.server.unavailable';

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Reads requests from the read model or the event log. */
@Injectable()
export class RequestReader {
  constructor(
    private readonly records: RequestRecords,
    private readonly model: ReadModel,
    private readonly log: RunLog,
    private readonly hub: EventHub,
    private readonly queues: StageQueues,
    private readonly parked: ParkedRequests,
  ) {}

  /**
   * The current state of a request. Read from the read model if it has caught up with the events that this process has seen, otherwise from
   * the event log. Whether it is parked comes from the control bus.
   * @throws ReinsError `request_not_found`, `run_expired` (the read model does not have it either), `service_unavailable`
   */
  async find(requestId: string): Promise<RequestView> {
    const view = { ...(await this.#find(requestId)) };
    const unavailable = await this.#unavailableServers(view);
    if (unavailable.length > 0) view.unavailableServers = unavailable;
    if (ENDED.has(view.status)) return view;
    const parked = await this.parked.find(view.workspaceId, requestId);
    return parked ? { ...view, parked } : view;
  }

  /** The servers that stages ran without, each once. Empty if the log no longer has these events, or cannot be read. */
  async #unavailableServers({ workspaceId, requestId, stages }: RequestView): Promise<UnavailableServerView[]> {
    if (stages.length === 0) return [];
    const items = await settled(this.log.itemsWithChildren({ workspaceId, requestId }, [SERVER_UNAVAILABLE]));
    const found = new Map<string, UnavailableServerView>();
    for (const item of items.ok ? items.value : []) {
      if (!('event' in item) || item.event.body.type !== SERVER_UNAVAILABLE) continue;
      const { serverId, reason, missingToolIds } = item.event.body;
      found.set(JSON.stringify([serverId, missingToolIds]), { serverId, reason, missingToolIds: [...missingToolIds] });
    }
    return [...found.values()];
  }

  async #find(requestId: string): Promise<RequestView> {
    const [recorded, known] = await Promise.all([
      settled(this.records.find(requestId)),
      this.model.query((db) => this.#current(db, requestId)),
    ]);
    const found = recorded.ok ? recorded.value : undefined;
    const record = found?.expiredAt === undefined ? found : undefined;
    if (known.ok && known.value) return this.#view(known.value, record);
    if (!recorded.ok) throw recorded.error;
    if (found) assertNotExpired(found, 'id');
    // A child run was not submitted here, so it has no record.
    const run = record ?? (await this.log.subjectsOf(requestId));
    const rows = run && requestFromLog(await this.log.itemsWithChildren(run), requestId);
    if (rows) return this.#view(rows, record);
    if (record) return acceptedView(record);
    if (known.ok) {
      throw new ReinsError({ code: 'request_not_found', message: `request ${requestId} does not exist`, path: 'id' });
    }
    throw new ReinsError({
      code: 'service_unavailable',
      message: `the request can only be in Postgres, which is unavailable: ${known.reason}`,
    });
  }

  /**
   * Lists requests with their child runs, newest first. A request without events comes first: it was accepted only now, or
   * it is queued in its session.
   * @throws ReinsError `service_unavailable` without the read model
   */
  async list(filter: RequestFilter): Promise<RequestPage> {
    const records = filter.status === undefined ? await settled(this.records.newest()) : undefined;
    const accepted = records?.ok ? records.value.filter((record) => isOf(record, filter)) : [];
    const found = await this.model.query(async (db) => {
      const known = new Set(
        await knownRequests(
          db,
          accepted.map(({ requestId }) => requestId),
        ),
      );
      const { queued, rest } = afterCursor(
        accepted.filter(({ requestId }) => !known.has(requestId)),
        filter.before,
      );
      const before = rest ? filter.before : undefined;
      const rows = await listRequests(db, { ...filter, before, limit: filter.limit + 1 });
      const ids = rows.map((row) => row.request_id);
      return {
        queued,
        rows,
        children: await childRunsOf(db, rows),
        retries: await retriesOf(db, ids),
        progress: await progressOf(db, ids),
      };
    });
    if (!found.ok)
      throw new ReinsError({ code: 'service_unavailable', message: `Postgres is unavailable: ${found.reason}` });
    const { queued, rows, children, retries, progress } = found.value;
    const listed = rows.map((row) => {
      const { request_id: id } = row;
      return nestedSummary(row, children, { retriedBy: retries.get(id), progress: progress.get(id) });
    });
    const all = [...queued.map(acceptedSummary), ...listed];
    const requests = all.slice(0, filter.limit);
    const last = requests.at(-1);
    return { requests, ...(all.length > filter.limit && last && { next: last.requestId }) };
  }

  async #view(rows: RequestRows, record: AcceptedRequest | undefined): Promise<RequestView> {
    return requestView(rows, record, await this.queues.placesOf(rows.stageRuns));
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

const isOf = ({ workspaceId, sessionId }: AcceptedRequest, filter: RequestFilter): boolean =>
  (filter.workspaceId === undefined || filter.workspaceId === workspaceId) &&
  (filter.sessionId === undefined || filter.sessionId === sessionId);

/** The requests after the cursor. `rest`: whether the cursor is that of a request with events, which come last. */
function afterCursor(queued: readonly AcceptedRequest[], cursor: string | undefined) {
  if (cursor === undefined) return { queued, rest: false };
  const index = queued.findIndex(({ requestId }) => requestId === cursor);
  return index === -1 ? { queued: [], rest: true } : { queued: queued.slice(index + 1), rest: false };
}

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}
