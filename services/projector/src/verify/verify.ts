import type { Bus } from '@reins/bus';
import { type Database, ExpectedTables, READ_MODEL, type RowDifference } from '@reins/store';
import { logBatches } from '../log-batches.ts';
import { logState } from '../start-position.ts';

export interface VerifyReport {
  readonly ok: boolean;
  /** The compared range of the event log. */
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly requests: number;
  /** Requests that cannot be compared, because they started before the first message of the log or in another log. */
  readonly skippedRequests: number;
  readonly differenceCount: number;
  /** The first differences of each table. */
  readonly differences: readonly RowDifference[];
}

/**
 * Projects the event log up to the stored position into temporary tables, and compares them with the stored rows. The
 * projector may run concurrently: the stored rows are read from one snapshot.
 * @throws pg.DatabaseError, errors of the bus
 */
export function verifyProjections(bus: Bus, db: Database, model = READ_MODEL): Promise<VerifyReport> {
  return ExpectedTables.create(
    db,
    async (expected) => {
      const { position } = expected;
      const log = await logState(bus);
      const sameLog = !position || position.stream === log.identity;
      const toSeq = sameLog ? (position?.seq ?? 0) : 0;
      for await (const batch of logBatches(bus, Math.max(1, log.firstSeq), toSeq))
        await expected.write(batch.map(({ item }) => item));
      const firstSeq = sameLog ? log.firstSeq : undefined;
      const { tables, ...compared } = await expected.compare({ generation: position?.generation ?? 1, firstSeq });
      const differenceCount = tables.reduce((sum, { count }) => sum + count, 0);
      const differences = tables.flatMap(({ listed }) => listed);
      return { ok: differenceCount === 0, fromSeq: log.firstSeq, toSeq, ...compared, differenceCount, differences };
    },
    model,
  );
}

/** Formats a report as human-readable text: the compared range, then one line per difference. */
export function formatReport(report: VerifyReport): string {
  const { fromSeq, toSeq, requests, skippedRequests, differenceCount, differences } = report;
  const compared = `compared sequences ${fromSeq} to ${toSeq}: ${requests} requests`;
  const skipped = skippedRequests > 0 ? `, ${skippedRequests} older than the log skipped` : '';
  const result = differenceCount === 0 ? 'the read model matches the event log' : `${differenceCount} differences`;
  const hidden = differenceCount - differences.length;
  const more = hidden > 0 ? [`  and ${hidden} more`] : [];
  return [`${compared}${skipped}`, result, ...differences.map(differenceLine), ...more].join('\n');
}

function differenceLine({ table, key, kind, columns = [] }: RowDifference): string {
  const details = columns.map(
    ({ column, expected, actual }) => `${column}: ${format(actual)}, not ${format(expected)}`,
  );
  return `  ${table} ${key}: ${kind}${details.length > 0 ? ` (${details.join('; ')})` : ''}`;
}

const format = (value: unknown): string => JSON.stringify(value)?.slice(0, 120) ?? 'nothing';
