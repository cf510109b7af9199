import type { RunAddress } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { CoroutineOptions } from '../engine/turn.ts';

/**
 * The identity that a process sees. A fork keeps the identity under which its shared entries were recorded. A forked
 * run directory also shares effect ids; a forked request has its own.
 */
export function identityOf(run: RunAddress, [first]: readonly Entry[]): Pick<CoroutineOptions, 'run' | 'identity'> {
  const { identity, shared } = (first?.type === 'RUN_CREATED' ? first.data.forkedFrom : undefined) ?? {};
  if (typeof identity !== 'string') return { run };
  return typeof shared === 'number' ? { run, identity } : { run: { ...run, runId: identity } };
}

/** The run id that its process sees. */
export function visibleRunId(run: RunAddress, entries: readonly Entry[]): string {
  const { run: known, identity } = identityOf(run, entries);
  return identity ?? known.runId;
}
