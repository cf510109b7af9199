import type { EffectKind } from './effect-kind.ts';
import { WAIT_LIMITS } from './limits.ts';
import { TIME } from './request-time.ts';

/** A wait until a time. */
export const sleep = {
  facts: {},
  identity: [],
  resolvedBy: 'time',
  limits: WAIT_LIMITS,
  deadline: 'wake',
  suspension: {
    reason: 'timer',
    message: ({ expiresAt }) => (typeof expiresAt === 'string' ? `the time ${expiresAt}` : ''),
    resumedBecause: () => 'the sleep ended',
  },
  requestRules: { expiresAt: TIME },
  call: 'use ctx.sleepUntil with a time',
  foreign: { taskId: '__sdk.sleep', identity: ({ expiresAt }) => expiresAt, args: () => null },
} as const satisfies EffectKind;
