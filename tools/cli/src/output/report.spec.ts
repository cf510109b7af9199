import { expect, test } from '@jest/globals';
import { problemLine } from './report.ts';

const FILE = 'journal/000003.01ARZ3NDEKTSV4RRFFQ69G5FAV.json';

test.each([
  [
    'shows the path once, also when the message starts with it',
    {
      code: 'journal_corrupt',
      message: `${FILE}: is not valid JSON`,
      path: FILE,
      hint: 'Preview a repair with run:repair-journal --dry-run.',
    },
    `journal_corrupt at ${FILE}: is not valid JSON\n  Preview a repair with run:repair-journal --dry-run.`,
  ],
  [
    'keeps a message that only starts like the path',
    { code: 'journal_corrupt', message: 'bundles: two', path: 'bundle' },
    'journal_corrupt at bundle: bundles: two',
  ],
  ['needs no path', { code: 'bus_closed', message: 'journal: gone' }, 'bus_closed: journal: gone'],
] as const)('a problem as text: %s', (_, problem, line) => expect(problemLine(problem)).toBe(line));
