import { expect, test } from '@jest/globals';
import { startPosition } from './start-position.ts';

const log = { identity: 'EVENTS@monday', firstSeq: 10, lastSeq: 90 };
const position = { stream: 'EVENTS@monday', generation: 3, seq: 50, ceId: 'x' };
const restarted = { stream: 'EVENTS@monday', generation: 4, seq: 0 };

test.each([
  [
    'starts at the beginning for an empty read model',
    log,
    undefined,
    null,
    { stream: log.identity, generation: 1, seq: 0 },
    'first',
  ],
  ['continues after the position if it has the same event', log, position, 'x', position, 'resumed'],
  ['continues from a position at the end', { ...log, lastSeq: 50 }, position, 'x', position, 'resumed'],
  ['continues if the message at the position was deleted', log, position, null, position, 'resumed'],
  [
    'continues if both message and position have no id',
    log,
    { ...position, ceId: undefined },
    undefined,
    { ...position, ceId: undefined },
    'resumed',
  ],
  [
    'has no gap if the log was trimmed up to the position',
    { ...log, firstSeq: 51 },
    position,
    null,
    position,
    'resumed',
  ],
  [
    'has a gap if the log was trimmed beyond the position',
    { ...log, firstSeq: 52 },
    position,
    null,
    position,
    'trimmed',
  ],
  [
    'reads a different stream from its start',
    { ...log, identity: 'EVENTS@friday' },
    position,
    'x',
    { ...restarted, stream: 'EVENTS@friday' },
    'replaced',
  ],
  ['detects a reset if the log ends before the position', { ...log, lastSeq: 49 }, position, null, position, 'rewound'],
  ['detects a reset if the log has a different event at the position', log, position, 'y', position, 'rewound'],
])('%s', (_what, state, before, at, expected, reason) => {
  expect(startPosition(state, before as typeof position | undefined, at)).toEqual({ position: expected, reason });
});
