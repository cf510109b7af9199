import type { Limits } from '@reins/contracts';
import { effectKind } from '@reins/journal';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** Work for a service of ours: a place in its queue within minutes, an hour to do it, one more try. */
const WORK: Limits = { startWithinMs: 10 * MINUTE, runForMs: 60 * MINUTE, maxAttempts: 2, onUnknown: 'retry' };
/** What waits for a person, for time or for somebody else's work takes as long as it takes. */
const WAIT: Limits = { startWithinMs: YEAR, runForMs: YEAR, maxAttempts: 1, onUnknown: 'fail' };

/** What an effect of this kind may use, where the process does not say otherwise. */
export function limitsOf(kind: string, own: Partial<Limits> = {}): Limits {
  const base = kind === 'task' || effectKind(kind).waiting ? WAIT : WORK;
  return { ...base, ...own };
}
