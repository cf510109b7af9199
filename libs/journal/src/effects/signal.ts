import { isText, type JsonObject } from '@reins/contracts';
import type { EffectKind } from './effect-kind.ts';
import { WAIT_LIMITS } from './limits.ts';
import { OPTIONAL_TIME } from './request-time.ts';

/** A wait for a signal. The entry of the signal has the facts. */
export const signal = {
  facts: {},
  identity: [],
  // A process requests a signal only after it has consumed all earlier ones of that name.
  count: ({ earlySignals }, request) => void earlySignals.delete(nameOf(request)),
  resolvedBy: 'signal',
  limits: WAIT_LIMITS,
  deadline: 'expiry',
  suspension: {
    reason: 'signal',
    message: (request) => `signal ${nameOf(request)}`,
    resumedBecause: (status) => (status === 'error' ? 'the signal did not arrive in time' : undefined),
    expired: ({ name, expiresAt = 'its deadline' }) => ({
      code: 'signal_timeout',
      message: `no signal ${name} before ${expiresAt}`,
      hint: 'Send it earlier, or set a later expiresAt.',
    }),
  },
  requestRules: { name: ['must be a non-empty string', isText], expiresAt: OPTIONAL_TIME },
  call: 'use ctx.signal with a name',
  awaitedSignal: nameOf,
} as const satisfies EffectKind;

function nameOf({ name }: JsonObject): string {
  return String(name);
}
