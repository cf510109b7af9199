import type { Bus } from '@reins/bus';
import type { ErrorCode } from '@reins/contracts';
import { type Database, type LogItem, NO_ROWS, onceEach, project, type RowChanges, readSnapshot } from '@reins/store';
import { type LogState, logState } from '../start-position.ts';
import { compareRows, type RowDifference } from './compare-rows.ts';
import { readLog } from './read-log.ts';

export interface VerifyReport {
  readonly ok: boolean;
  /** The part of the log that was compared. */
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly requests: number;
  /** Requests that began before what the log still has, or in another log: nothing to compare them with. */
  readonly skippedRequests: number;
  readonly differences: readonly RowDifference[];
}

/**
 * Projects the log again, in memory, as far as the checkpoint says, and compares the rows with those that are stored. The projector may go
 * on meanwhile: the stored rows are read as of one moment.
 */
export async function verifyProjections(bus: Bus, db: Database): Promise<VerifyReport> {
  const { checkpoint, rows } = await readSnapshot(db);
  const log = await logState(bus);
  const generation = checkpoint?.generation ?? 1;
  const sameLog = !checkpoint || checkpoint.stream === log.identity;
  const toSeq = sameLog ? (checkpoint?.seq ?? 0) : 0;
  const items = await readLog(bus, Math.max(1, log.firstSeq), toSeq);
  const scope = new Scope(rows, generation, sameLog ? log : undefined);
  const expected = project(NO_ROWS, onceEach(items.filter((item) => scope.hasItem(item))), generation);
  const actual = scope.only(rows);
  const differences = compareRows(scope.only(expected), actual);
  const { length: requests } = actual.requests;
  return {
    ok: differences.length === 0,
    fromSeq: log.firstSeq,
    toSeq,
    requests,
    skippedRequests: scope.skipped.size,
    differences,
  };
}

/** What can be compared: requests of which the log still has everything. */
class Scope {
  /** Requests that are left out. */
  readonly skipped: ReadonlySet<string>;
  readonly #sessions: ReadonlySet<string>;
  readonly #generation: number;
  readonly #firstSeq: number;
  /** Messages that the projector could not store: the log alone does not show that. */
  readonly #refused: ReadonlySet<number>;

  constructor(rows: RowChanges, generation: number, log: LogState | undefined) {
    this.#generation = generation;
    this.#firstSeq = log?.firstSeq ?? Number.POSITIVE_INFINITY;
    const old = rows.events.filter((row) => !this.#isCurrent(row));
    this.skipped = new Set(old.map((row) => row.request_id));
    this.#sessions = new Set(old.map((row) => `${row.workspace_id} ${row.session_id}`));
    this.#refused = new Set(rows.unreadable_messages.filter((row) => this.#isCurrent(row)).map((row) => row.seq));
  }

  hasItem(item: LogItem): boolean {
    if (!('event' in item)) return true;
    return !this.skipped.has(item.event.body.requestId) && !this.#refused.has(item.event.seq);
  }

  only(rows: RowChanges): RowChanges {
    const ofRequest = (row: { readonly request_id: string }): boolean => !this.skipped.has(row.request_id);
    return {
      requests: rows.requests.filter(ofRequest),
      sessions: rows.sessions.filter((row) => !this.#sessions.has(`${row.workspace_id} ${row.session_id}`)),
      stage_runs: rows.stage_runs.filter(ofRequest),
      approvals: rows.approvals.filter(ofRequest),
      events: rows.events.filter(ofRequest),
      trace_views: rows.trace_views.filter(ofRequest),
      usage: rows.usage.filter(ofRequest),
      artifacts: rows.artifacts.filter(ofRequest),
      // What Postgres refused is left out of both.
      unreadable_messages: rows.unreadable_messages.filter((row) => this.#isCurrent(row) && row.code !== UNSTORABLE),
    };
  }

  #isCurrent(row: { readonly generation: number; readonly seq: number }): boolean {
    return row.generation === this.#generation && row.seq >= this.#firstSeq;
  }
}

const UNSTORABLE: ErrorCode = 'event_unstorable';

/** For people: what was compared, then one line for each difference. */
export function formatReport(report: VerifyReport): string {
  const { fromSeq, toSeq, requests, skippedRequests, differences } = report;
  const compared = `compared sequences ${fromSeq} to ${toSeq}: ${requests} requests`;
  const skipped = skippedRequests > 0 ? `, ${skippedRequests} older than the log left out` : '';
  const verdict =
    differences.length === 0 ? 'the read model is what the log says' : `${differences.length} differences`;
  return [`${compared}${skipped}`, verdict, ...differences.map(differenceLine)].join('\n');
}

function differenceLine({ table, key, kind, columns = [] }: RowDifference): string {
  const details = columns.map(({ column, expected, actual }) => `${column}: ${shown(actual)}, not ${shown(expected)}`);
  return `  ${table} ${key}: ${kind}${details.length > 0 ? ` (${details.join('; ')})` : ''}`;
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 120) ?? 'nothing';
