import { expect, test } from '@jest/globals';
import { problemLine } from './report.ts';

const FILE = 'journal/000003.01ARZ3NDEKTSV4RRFFQ69G5FAV.json';

test.each([
  [
    'names its place once, though its message begins with it',
    {
      code: 'journal_corrupt',
      message: `${FILE}: is no JSON`,
      path: FILE,
      hint: 'see what run:repair-journal would do',
    },
    `journal_corrupt at ${FILE}: is no JSON\n  see what run:repair-journal would do`,
  ],
  [
    'keeps a message that only begins like its place',
    { code: 'journal_corrupt', message: 'bundles: two', path: 'bundle' },
    'journal_corrupt at bundle: bundles: two',
  ],
  ['needs no place', { code: 'bus_closed', message: 'journal: gone' }, 'bus_closed: journal: gone'],
] as const)('a problem, as people read it, %s', (_, problem, line) => expect(problemLine(problem)).toBe(line));
