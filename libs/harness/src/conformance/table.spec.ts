import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { BUILT_IN_ADAPTERS } from '../index.ts';
import { EXCEPTIONS, UNPROVEN } from './exceptions.ts';
import { withTable } from './table.ts';

test('the table of docs/runtimes.md is current; otherwise run libs/harness/scripts/conformance-table.mjs', () => {
  const document = readFileSync(new URL('../../../../docs/runtimes.md', import.meta.url), 'utf8');
  expect(document).toBe(withTable(document));
});

test('every built-in runtime is a subject of the suite, or unproven', () => {
  expect([...Object.keys(EXCEPTIONS), ...UNPROVEN].sort()).toEqual(
    BUILT_IN_ADAPTERS.map(({ runtimeId }) => runtimeId).sort(),
  );
});
