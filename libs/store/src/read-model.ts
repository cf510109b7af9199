import type { Migration } from 'kysely/migration';
import * as readModel from './migrations/0001-read-model.ts';
import * as newestRequests from './migrations/0002-newest-requests.ts';
import * as childRuns from './migrations/0003-child-runs.ts';
import * as waitTexts from './migrations/0004-wait-texts.ts';
import * as inputLines from './migrations/0005-input-lines.ts';
import * as questionNumbers from './migrations/0006-question-numbers.ts';
import * as retries from './migrations/0007-retries.ts';
import * as runPositions from './migrations/0008-run-positions.ts';
import * as usageSource from './migrations/0009-usage-source.ts';
import * as openWaits from './migrations/0010-open-waits.ts';
import * as stageNames from './migrations/0011-stage-names.ts';
import * as keptSignals from './migrations/0012-kept-signals.ts';
import * as forks from './migrations/0013-forks.ts';
import * as eventPositions from './migrations/0014-event-positions.ts';
import * as stageProgress from './migrations/0015-stage-progress.ts';
import type { Projection } from './projection/projection.ts';
import type { RowOf, Table } from './schema/table.ts';
import { approvalsProjection } from './tables/approvals.ts';
import { artifactsProjection } from './tables/artifacts.ts';
import { CHECKPOINTS } from './tables/checkpoints.ts';
import { eventsProjection } from './tables/events.ts';
import { requestsProjection } from './tables/requests.ts';
import { runPositionsProjection } from './tables/run-positions.ts';
import { sessionsProjection } from './tables/sessions.ts';
import { stageRunsProjection } from './tables/stage-runs.ts';
import { traceViewsProjection } from './tables/trace-views.ts';
import { unreadableMessagesProjection } from './tables/unreadable-messages.ts';
import { usageProjection } from './tables/usage.ts';

/** All migrations, oldest first. A released migration never changes; `migrations.spec.ts` records what each does. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-read-model': { up: (db) => readModel.up(db) },
  '0002-newest-requests': { up: (db) => newestRequests.up(db) },
  '0003-child-runs': { up: (db) => childRuns.up(db) },
  '0004-wait-texts': { up: (db) => waitTexts.up(db) },
  '0005-input-lines': { up: (db) => inputLines.up(db) },
  '0006-question-numbers': { up: (db) => questionNumbers.up(db) },
  '0007-retries': { up: (db) => retries.up(db) },
  '0008-run-positions': { up: (db) => runPositions.up(db) },
  '0009-usage-source': { up: (db) => usageSource.up(db) },
  '0010-open-waits': { up: (db) => openWaits.up(db) },
  '0011-stage-names': { up: (db) => stageNames.up(db) },
  '0012-kept-signals': { up: (db) => keptSignals.up(db) },
  '0013-forks': { up: (db) => forks.up(db) },
  '0014-event-positions': { up: (db) => eventPositions.up(db) },
  '0015-stage-progress': { up: (db) => stageProgress.up(db) },
};

/**
 * The tables that the event log is projected into. Writing a batch, rebuilding, verifying and reading a snapshot
 * iterate this list. A projection sees the rows of earlier ones with the current event applied.
 */
export const PROJECTIONS = [
  requestsProjection,
  sessionsProjection,
  stageRunsProjection,
  eventsProjection,
  unreadableMessagesProjection,
  traceViewsProjection,
  usageProjection,
  artifactsProjection,
  approvalsProjection,
  runPositionsProjection,
] as const;

/** All tables, with the one that the projector keeps its position in. */
export const TABLES: readonly Table[] = [...PROJECTIONS.map(({ table }) => table), CHECKPOINTS];

/** What the read model consists of. */
export interface ReadModel {
  readonly projections: readonly Projection[];
  readonly migrations: Readonly<Record<string, Migration>>;
}
export const READ_MODEL: ReadModel = { projections: PROJECTIONS, migrations: MIGRATIONS };

type Projected = (typeof PROJECTIONS)[number];
type TableOf<P extends Projected> = P['table'];

/** The Kysely schema. */
export type Schema = { [T in TableOf<Projected> | typeof CHECKPOINTS as T['name']]: RowOf<T> };

/** Rows of the tables with a mode. */
type RowsIn<M extends Projected['mode']> = {
  readonly [P in Extract<Projected, { readonly mode: M }> as TableOf<P>['name']]: readonly RowOf<TableOf<P>>[];
};

/** Rows that follow from earlier rows, in their current state. */
export type StateRows = RowsIn<'fold'>;

/** The changes of a batch to the read model: complete rows, each key at most once. */
export type RowChanges = RowsIn<Projected['mode']>;

/** The rows of a table; none if the changes do not include the table. */
export function rowsIn<T extends Table>(rows: object, { name }: T): readonly RowOf<T>[] {
  return (rows as Readonly<Record<string, readonly RowOf<T>[]>>)[name] ?? [];
}
