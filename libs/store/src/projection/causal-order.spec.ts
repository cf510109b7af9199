import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withoutDuplicates } from '../queries/requests.ts';
import { PROJECTIONS, type RowChanges, rowsIn, type StateRows } from '../read-model.ts';
import { keyOf } from '../schema/table.ts';
import { recordedRun } from '../testing/recorded-run.ts';
import type { LogEvent, LogItem } from './log-event.ts';
import { lateRuns, project, projectBatch } from './project.ts';

type Rows = Record<string, Record<string, object>>;

/** The rows after some batches, as the tables hold them. */
class StoredRows {
  #rows: Rows = Object.fromEntries(PROJECTIONS.map(({ table }) => [table.name, {}]));
  readonly #facts: LogEvent[] = [];

  write(items: readonly LogItem[]): void {
    const known = Object.fromEntries(
      Object.entries(this.#rows).map(([name, rows]) => [name, Object.values(rows)]),
    ) as unknown as StateRows;
    const history = new Map(
      lateRuns(known, items).map((run) => [run, this.#facts.filter(({ body }) => body.requestId === run)]),
    );
    const { changes, refolded } = projectBatch(known, items, history);
    for (const { table, mode, scope } of PROJECTIONS) {
      const rows = Object.entries(this.#rows[table.name] ?? {});
      const isKept = (row: object) =>
        mode === 'append' || scope !== 'request' || !refolded.has(String(Reflect.get(row, 'request_id')));
      this.#rows[table.name] = {
        ...Object.fromEntries(rows.filter(([, row]) => isKept(row))),
        ...byKey(table, changes),
      };
    }
    const recorded = new Set(changes.events.map(({ ce_id }) => ce_id));
    this.#facts.push(...items.flatMap((item) => ('event' in item && recorded.has(item.event.id) ? [item.event] : [])));
  }

  rows(): Rows {
    return this.#rows;
  }
}

const byKey = (table: (typeof PROJECTIONS)[number]['table'], rows: RowChanges): Record<string, object> =>
  Object.fromEntries(rowsIn(rows, table).map((row) => [keyOf(table, row), row]));

const inOneBatch = (items: readonly LogItem[]): Rows => {
  const rows = project(items);
  return Object.fromEntries(PROJECTIONS.map(({ table }) => [table.name, byKey(table, rows)]));
};

function inBatches(items: readonly LogItem[], sizes: readonly number[]): Rows {
  const stored = new StoredRows();
  let from = 0;
  for (const size of [...sizes, items.length]) {
    stored.write(items.slice(from, from + size));
    from += size;
  }
  return stored.rows();
}

/** Gives events their places in the log. */
const logOf = (events: readonly LogEvent[]): LogItem[] =>
  events.map((event, index) => ({ event: { ...event, seq: index + 1 } }));

/** The rows without their places in the log. Of events and views: those of facts. */
const withoutPlaces = (rows: Rows): Rows =>
  JSON.parse(
    JSON.stringify(rows, (name, value) => (name === 'seq' || name === 'first_seq' || name === 'last_seq' ? 0 : value)),
  ) as Rows;

const sizes = fc.array(fc.nat({ max: 12 }), { maxLength: 20 });

test('the rows do not depend on batch boundaries or repeated events', () => {
  const two = [...recordedRun(), ...recordedRun({ requestId: 'RUN2' })];
  fc.assert(
    fc.property(fc.shuffledSubarray([...two.keys()], { minLength: 1 }), sizes, (order, cuts) => {
      const items = withoutDuplicates(logOf([...order, ...order].map((index) => two[index] as LogEvent)));
      expect(inBatches(items, cuts)).toEqual(inOneBatch(items));
    }),
  );
});

describe('facts of a run that arrive out of order', () => {
  /** Entries with one to three facts, and signals without a version. */
  const factsOf = (options: Parameters<typeof recordedRun>[0]): LogEvent[] =>
    recordedRun(options).map(({ version = 1, ...event }) =>
      event.body.type === 'runtime.adapter.event' ? event : { ...event, version: Math.ceil(version / 2) },
    );
  const runs = [factsOf({}), factsOf({ requestId: 'RUN2' })];

  /** Moves each fact back by a number of places at most. Signals stay in their places. */
  function displaced(events: readonly LogEvent[], by: readonly number[]): LogEvent[] {
    const facts = events.filter(({ version }) => version !== undefined);
    const moved = facts
      .map((fact, index) => ({ fact, place: index + (by[index] ?? 0) }))
      .sort((a, b) => a.place - b.place);
    const next = moved.values();
    return events.map((event) => (event.version === undefined ? event : (next.next().value?.fact ?? event)));
  }

  test.each([3, 60])('have the rows of the ordered facts (up to %i places)', (max) => {
    const moves = fc.array(fc.nat({ max }), { minLength: 50, maxLength: 50 });
    const ordered = withoutPlaces(inOneBatch(logOf(runs.flat())));
    fc.assert(
      fc.property(moves, moves, sizes, (first, second, cuts) => {
        const items = logOf([first, second].flatMap((by, index) => displaced(runs[index] ?? [], by)));
        const rows = withoutPlaces(inBatches(items, cuts));
        const { events: _, trace_views: __, ...state } = rows;
        expect(state).toEqual(Object.fromEntries(Object.keys(state).map((name) => [name, ordered[name]])));
        expect(rows).toEqual(withoutPlaces(inOneBatch(items)));
      }),
      { numRuns: 30 },
    );
  });

  test('keep the tree of a stage that completes behind its request', () => {
    const [run = []] = runs;
    const isLate = ({ body }: LogEvent): boolean =>
      body.type === 'runtime.stage.completed' && body.tree === 'b'.repeat(64);
    const late = [...run.filter((event) => !isLate(event)), ...run.filter(isLate)];
    const { requests, sessions, stage_runs } = project(logOf(late));
    expect(requests).toMatchObject([{ status: 'completed', tree: 'b'.repeat(64) }]);
    expect(sessions).toMatchObject([{ tree: 'b'.repeat(64) }]);
    expect(stage_runs.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
  });

  test('do not count as late if the journal was set back', () => {
    const [run = []] = runs;
    const end = run.findIndex(({ body }) => body.type === 'runtime.request.completed');
    const [first] = run as [LogEvent];
    const body = { ...first.body, type: 'runtime.request.cancelled' } as LogEvent['body'];
    const other = run.find(({ version = 0 }) => version > 1) as LogEvent;
    const cancelled = { ...other, id: `other.${other.id.split('.').at(-1)}`, body };
    const { requests } = project(logOf([...run.slice(0, end), cancelled]));
    expect(requests).toMatchObject([{ status: 'cancelled', tree: 'b'.repeat(64) }]);
  });
});
