import type { RunAddress } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { CoroutineOptions } from '../engine/turn.ts';

/**
 * Whose run a process sees itself in: a fork shares the prefix of another run, and so goes on under the identity under which that was
 * recorded. A fork of a run directory has the ids of that run's effects, too; one of a request has effects of its own.
 */
export function identityOf(run: RunAddress, [first]: readonly Entry[]): Pick<CoroutineOptions, 'run' | 'identity'> {
  const { identity, shared } = (first?.type === 'RUN_CREATED' ? first.data.forkedFrom : undefined) ?? {};
  if (typeof identity !== 'string') return { run };
  return typeof shared === 'number' ? { run, identity } : { run: { ...run, runId: identity } };
}

/** The run id that its process knows. */
export function knownAs(run: RunAddress, entries: readonly Entry[]): string {
  const { run: known, identity } = identityOf(run, entries);
  return identity ?? known.runId;
}
