import type { HarnessDeadlines } from '@reins/harness';
import type { Silence } from '../doors/model/call-silence.ts';

/** The run whose model call is silent. */
export interface SilentRun {
  readonly deadlines: Pick<HarnessDeadlines, 'totalMs' | 'idleMs' | 'noProgressMs'>;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * What a stage waits for while a model call is silent, and when its attempt ends if this goes on. Afterwards, how the
 * silence ended.
 * @param now milliseconds since the epoch
 */
export function silenceLabel(
  { provider, model }: { readonly provider: string; readonly model: string },
  { silentMs, state }: Silence,
  run: SilentRun,
  now: number,
): string {
  const call = `model call to ${provider}/${model}`;
  const seconds = `${Math.round(silentMs / 1000)} s`;
  if (state === 'answered') return `continues: the ${call} has a response after ${seconds}`;
  if (state === 'ended') return `continues: the ${call} ended without a response after ${seconds}`;
  const end = new Date(endOf(run, now - silentMs)).toISOString().slice(11, 19);
  return `waits for a ${call}, no response for ${seconds}; the attempt ends at ${end} UTC`;
}

/** An executor that waits for a call shows no sign of life. */
function endOf({ deadlines, startedAt }: SilentRun, silentSince: number): number {
  const { totalMs, idleMs, noProgressMs } = deadlines;
  return Math.min(startedAt + totalMs, silentSince + Math.min(idleMs, noProgressMs));
}
