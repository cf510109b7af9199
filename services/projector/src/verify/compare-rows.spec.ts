import { expect, test } from '@jest/globals';
import { type LogItem, project, type RowChanges } from '@reins/store';
import { recordedRun } from '@reins/store/testing';
import { compareRows } from './compare-rows.ts';

const items: LogItem[] = recordedRun().map((event) => ({ event }));
const rows = project(items);

test('ignores the order of rows', () => {
  const reversed = Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, [...list].reverse()]));
  expect(compareRows(rows, reversed as unknown as RowChanges)).toEqual([]);
});

test('reports missing, unexpected and different rows with their key', () => {
  const [request] = rows.requests;
  const actual = {
    ...rows,
    requests: rows.requests.map((row) => ({ ...row, status: 'failed' })),
    approvals: [],
    sessions: [...rows.sessions, { ...rows.sessions[0], session_id: 'unexpected' }],
  } as RowChanges;
  expect(compareRows(rows, actual)).toEqual([
    {
      table: 'requests',
      key: `request_id=${request?.request_id}`,
      kind: 'different',
      columns: [{ column: 'status', expected: 'completed', actual: 'failed' }],
    },
    { table: 'sessions', key: 'workspace_id=quickstart session_id=unexpected', kind: 'unexpected' },
    { table: 'approvals', key: `request_id=${request?.request_id} approval_id=a1`, kind: 'missing' },
  ]);
});
