import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Problem } from '../errors/problem.ts';
import { ENTRIES } from '../generated/catalogue.ts';
import { problemsOfEvent } from './catalogue.ts';

const FOLDER = new URL('../../../../testdata/events/v1/', import.meta.url).pathname;

/**
 * Bodies as earlier versions wrote them, by type. They never change: event logs and journals hold such bodies for
 * months.
 */
const recorded = readdirSync(FOLDER).map((file) => ({
  type: basename(file, '.json'),
  bodies: JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { full: object; least: object },
}));

function problemsOf(type: string, body: object): readonly Problem[] {
  if (!(type in ENTRIES)) return problemsOfEvent(body);
  const problems: Problem[] = [];
  ENTRIES[type as keyof typeof ENTRIES](body, type, problems);
  return problems;
}

test.each(recorded)('a recorded $type is still valid', ({ type, bodies }) => {
  expect([bodies.full, bodies.least].flatMap((body) => problemsOf(type, body))).toEqual([]);
});
