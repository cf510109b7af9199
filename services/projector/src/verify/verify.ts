import type { Bus } from '@reins/bus';
import type { ErrorCode } from '@reins/contracts';
import {
  type Database,
  type LogItem,
  project,
  READ_MODEL,
  type ReadModel,
  type RowChanges,
  readSnapshot,
  rowsIn,
  type ScopeName,
  withoutDuplicates,
} from '@reins/store';
import { type LogState, logState } from '../start-position.ts';
import { compareRows, type RowDifference } from './compare-rows.ts';
import { readLog } from './read-log.ts';

export interface VerifyReport {
  readonly ok: boolean;
  /** The compared range of the event log. */
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly requests: number;
  /** Requests that cannot be compared, because they started before the first message of the log or in another log. */
  readonly skippedRequests: number;
  readonly differences: readonly RowDifference[];
}

/**
 * Projects the event log in memory up to the stored position, and compares the result with the stored rows. The
 * projector may run concurrently: the stored rows are read from one snapshot.
 */
export async function verifyProjections(bus: Bus, db: Database, model = READ_MODEL): Promise<VerifyReport> {
  const { position, rows } = await readSnapshot(db, model);
  const log = await logState(bus);
  const generation = position?.generation ?? 1;
  const sameLog = !position || position.stream === log.identity;
  const toSeq = sameLog ? (position?.seq ?? 0) : 0;
  const items = await readLog(bus, Math.max(1, log.firstSeq), toSeq);
  const scope = new Scope(rows, generation, sameLog ? log : undefined, model);
  const expected = project(withoutDuplicates(items.filter((item) => scope.includesItem(item))),
    generation,
    model,
  );
  const actual = scope.only(rows);
  const differences = compareRows(scope.only(expected), actual, model);
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

/** The comparable part: requests of which the log has all events. */
class Scope {
  /** Requests that are not compared. */
  readonly skipped: ReadonlySet<string>;
  readonly #sessions: ReadonlySet<string>;
  readonly #generation: number;
  readonly #firstSeq: number;
  /** Messages that Postgres rejected, which the log alone does not show. */
  readonly #rejected: ReadonlySet<number>;
  readonly #projections: ReadModel['projections'];

  constructor(rows: RowChanges, generation: number, log: LogState | undefined, { projections }: ReadModel) {
    this.#generation = generation;
    this.#projections = projections;
    this.#firstSeq = log?.firstSeq ?? Number.POSITIVE_INFINITY;
    const old = rows.events.filter((row) => !this.#isCurrent(row));
    this.skipped = new Set(old.map((row) => row.request_id));
    this.#sessions = new Set(old.map((row) => `${row.workspace_id} ${row.session_id}`));
    this.#rejected = new Set(rows.unreadable_messages.filter((row) => this.#isCurrent(row)).map((row) => row.seq));
  }

  includesItem(item: LogItem): boolean {
    if (!('event' in item)) return true;
    return !this.skipped.has(item.event.body.requestId) && !this.#rejected.has(item.event.seq);
  }

  only(rows: RowChanges): RowChanges {
    const entries = this.#projections.map(({ table, scope }) => [
      table.name,
      (rowsIn(rows, table) as readonly unknown[] as readonly ScopedRow[]).filter((row) => this.#includes(row, scope)),
    ]);
    return Object.fromEntries(entries) as RowChanges;
  }

  #includes(row: ScopedRow, scope: ScopeName): boolean {
    if (scope === 'request') return !this.skipped.has(row.request_id);
    if (scope === 'session') return !this.#sessions.has(`${row.workspace_id} ${row.session_id}`);
    // Rejected messages are excluded from both.
    return this.#isCurrent(row) && row.code !== UNSTORABLE;
  }

  #isCurrent(row: { readonly generation: number; readonly seq: number }): boolean {
    return row.generation === this.#generation && row.seq >= this.#firstSeq;
  }
}

/** A row with the columns of its scope. */
interface ScopedRow {
  readonly request_id: string;
  readonly workspace_id: string;
  readonly session_id: string;
  readonly generation: number;
  readonly seq: number;
  readonly code: string;
}

const UNSTORABLE: ErrorCode = 'event_unstorable';

/** Formats a report as human-readable text: the compared range, then one line per difference. */
export function formatReport(report: VerifyReport): string {
  const { fromSeq, toSeq, requests, skippedRequests, differences } = report;
  const compared = `compared sequences ${fromSeq} to ${toSeq}: ${requests} requests`;
  const skipped = skippedRequests > 0 ? `, ${skippedRequests} older than the log skipped` : '';
  const result =
    differences.length === 0 ? 'the read model matches the event log' : `${differences.length} differences`;
  return [`${compared}${skipped}`, result, ...differences.map(differenceLine)].join('\n');
}

function differenceLine({ table, key, kind, columns = [] }: RowDifference): string {
  const details = columns.map(
    ({ column, expected, actual }) => `${column}: ${format(actual)}, not ${format(expected)}`,
  );
  return `  ${table} ${key}: ${kind}${details.length > 0 ? ` (${details.join('; ')})` : ''}`;
}

const format = (value: unknown): string => JSON.stringify(value)?.slice(0, 120) ?? 'nothing';
