import { CHECKS as SHARED, type Violation } from '@reins/chaos/checks';
import { AFTER_POWER_FAILURES } from './after-power-failures.ts';
import { archived, readers } from './archive.ts';
import type { SimulatedCase } from './case.ts';
import { type Check, endings, fencing, settled } from './common.ts';
import { backoff, fairness, floods, parked } from './crowd.ts';
import { dead } from './dead-letters.ts';
import { determinism, divergence } from './determinism.ts';
import { answers, attempts, deadlines, effects, orders, queued, stages, suspensions } from './effects.ts';
import { sessionState, sessions } from './sessions.ts';
import { timers } from './timers.ts';

const CHECKS: Readonly<Record<string, Check>> = {
  settled,
  endings,
  journals: (given) => SHARED.journals?.(given) ?? [],
  facts: (given) => SHARED.facts?.(given) ?? [],
  leftovers: (given) => SHARED.leftovers?.(given) ?? [],
  effects,
  stages,
  attempts,
  deadlines,
  queued,
  orders,
  suspensions,
  answers,
  fencing,
  divergence,
  readers,
  archived,
  dead,
  sessions,
  sessionState,
  fairness,
  backoff,
  floods,
  parked,
  timers,
};

/** Runs all checks. The replay check runs only when the others find nothing. */
export async function checkAll(given: SimulatedCase): Promise<Violation[]> {
  const hadPowerFailure = given.server.powerFailures > 0;
  const found = Object.entries(hadPowerFailure ? AFTER_POWER_FAILURES : CHECKS).flatMap(([check, find]) =>
    find(given).map((finding) => ({ check, ...finding })),
  );
  if (found.length > 0 || hadPowerFailure) return found;
  return (await determinism(given)).map((finding) => ({ check: 'determinism', ...finding }));
}
