import { expect, test } from '@jest/globals';
import type { EventOf } from '@reins/contracts';
import { type RecordedRunOptions, recordedRun } from '../testing/recorded-run.ts';
import type { LogEvent, LogItem } from './log-event.ts';
import { project } from './project.ts';

/** A run with child runs: one that names its parent, and one whose parent is named by a fact of the parent only. */
function recordedFacts(): LogEvent[] {
  const top = recordedRun();
  const [first] = top as [LogEvent];
  const { requestId, sessionId, agentId } = first.body;
  const parent = { requestId, sessionId, agentId, effectId: 'e9', attempt: 1, depth: 1, rootRequestId: requestId };
  const child = (options: RecordedRunOptions): LogEvent[] => recordedRun({ ...options, sessionId: 'of a child' });
  const started = { ...first.body, type: 'runtime.child.started', effectId: 'e9', childRequestId: 'CHILD2' };
  return [
    ...top,
    ...child({ requestId: 'CHILD1', parent, firstSeq: 100 }),
    ...child({ requestId: 'CHILD2', firstSeq: 200 }).slice(0, -2),
    { ...first, id: 'link', seq: 300, version: 50, body: started as EventOf<'runtime.child.started'> },
    ...recordedRun({ requestId: 'OPEN', sessionId: 's2', firstSeq: 400 }).slice(0, 20),
  ];
}

const unreadable: LogItem = {
  unreadable: {
    seq: 500,
    subject: 'runtime.x',
    time: '2026-01-01T00:00:00.000Z',
    problem: { code: 'message_invalid', message: 'no' },
  },
};

/** The rows as lines, in the order of their keys. The bodies of events are those of the facts. */
const linesOf = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(row, (name, value) => (name === 'body' ? undefined : value))).toSorted();

test('recorded facts have the rows that earlier versions gave them', () => {
  const rows = project([...recordedFacts().map((event) => ({ event })), unreadable], 2);
  expect(Object.fromEntries(Object.entries(rows).map(([table, each]) => [table, linesOf(each)]))).toMatchSnapshot();
});
