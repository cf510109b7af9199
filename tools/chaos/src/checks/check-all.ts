import { deadlines, earlyTimeouts } from './deadlines.ts';
import { damage, endings, sessions, submissions, views } from './endings.ts';
import { derivedFacts, facts } from './facts.ts';
import { effects, journals } from './journals.ts';
import { dead, leftovers, projection } from './leftovers.ts';
import { stages } from './stages.ts';
import type { Case, Check, Violation } from './violation.ts';

export type { Case, Violation };
export { derivedFacts, earlyTimeouts };

/** All checks by name. */
export const CHECKS: Readonly<Record<string, Check>> = {
  submissions,
  endings,
  damage,
  views,
  sessions,
  journals,
  effects,
  facts,
  stages,
  deadlines,
  leftovers,
  dead,
  projection,
};

export function checkAll(given: Case): Violation[] {
  return Object.entries(CHECKS).flatMap(([check, find]) => find(given).map((finding) => ({ check, ...finding })));
}
