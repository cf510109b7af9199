import { expect, test } from '@jest/globals';
import { startPosition } from './start-position.ts';

const log = { identity: 'EVENTS@monday', firstSeq: 10, lastSeq: 90 };
const checkpoint = { stream: 'EVENTS@monday', generation: 3, seq: 50, ceId: 'x' };
const anew = { stream: 'EVENTS@monday', generation: 4, seq: 0 };

test.each([
  [
    'an empty read model begins at the start',
    log,
    undefined,
    null,
    { stream: log.identity, generation: 1, seq: 0 },
    'first',
  ],
  ['the same event at the checkpoint goes on behind it', log, checkpoint, 'x', checkpoint, 'resumed'],
  ['a checkpoint at the very end goes on', { ...log, lastSeq: 50 }, checkpoint, 'x', checkpoint, 'resumed'],
  ['a message that was deleted says nothing', log, checkpoint, null, checkpoint, 'resumed'],
  [
    'a message without an id is like a checkpoint without one',
    log,
    { ...checkpoint, ceId: undefined },
    undefined,
    { ...checkpoint, ceId: undefined },
    'resumed',
  ],
  [
    'a log that was trimmed just behind it has no gap',
    { ...log, firstSeq: 51 },
    checkpoint,
    null,
    checkpoint,
    'resumed',
  ],
  ['a log that was trimmed further has one', { ...log, firstSeq: 52 }, checkpoint, null, checkpoint, 'trimmed'],
  [
    'another stream is read from its start',
    { ...log, identity: 'EVENTS@friday' },
    checkpoint,
    'x',
    { ...anew, stream: 'EVENTS@friday' },
    'replaced',
  ],
  ['a log that ends before it was set back', { ...log, lastSeq: 49 }, checkpoint, null, anew, 'rewound'],
  ['another event at its place means that the log was set back and went on', log, checkpoint, 'y', anew, 'rewound'],
])('%s', (_what, state, before, at, expected, reason) => {
  expect(startPosition(state, before as typeof checkpoint | undefined, at)).toEqual({ checkpoint: expected, reason });
});
