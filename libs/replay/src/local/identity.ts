import type { RunAddress } from '@reins/contracts';
import type { Entry } from '@reins/journal';

/**
 * Whose run id the ids of effects and the random numbers follow from: a fork shares the prefix of another run, and so goes on under the
 * identity under which that was recorded.
 */
export function identityOf(run: RunAddress, [first]: readonly Entry[]): RunAddress {
  const identity = first?.type === 'RUN_CREATED' ? first.data.forkedFrom?.identity : undefined;
  return typeof identity === 'string' ? { ...run, runId: identity } : run;
}
