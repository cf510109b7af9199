import type { Limits } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { RunJournal } from '../evidence/evidence.ts';
import { about, type Check, type Finding } from './violation.ts';

/** How late an owner may store what it has decided or was reported: it restarts meanwhile, or the server does. */
const STORED_LATE_MS = 60_000;
const TIMED_OUT: ReadonlySet<string> = new Set(['effect_not_started', 'effect_timed_out']);

/** What a stage is doing, and since when by the clock of the server. */
interface Step {
  readonly limits: Limits;
  readonly since: number;
  /** Undefined while the stage waits for an answer. */
  readonly limitMs: number | undefined;
}

/**
 * An attempt of a stage counts as late only after its limit, by the clock of the server: the time in the queue, the
 * preparation and the execution have one each. The clocks of owners and hosts may be minutes apart.
 */
export const deadlines: Check = ({ evidence }) =>
  [...evidence.journals.values()].flatMap((journal) => earlyTimeouts(journal, STORED_LATE_MS));

/** @param storedLateMs how much later than it was decided an entry may be stored */
export function earlyTimeouts(
  { run, entries, storedAt }: Pick<RunJournal, 'run' | 'entries' | 'storedAt'>,
  storedLateMs: number,
): Finding[] {
  const steps = new Map<string, Step>();
  return entries.flatMap((entry, index) => {
    const now = storedAt[index] ?? 0;
    const effectId = 'effectId' in entry.data ? String(entry.data.effectId) : '';
    const step = steps.get(effectId);
    const next = nextStep(entry, step, now);
    if (next) steps.set(effectId, next);
    const code = 'error' in entry.data ? entry.data.error?.code : undefined;
    if (!step?.limitMs || !TIMED_OUT.has(code ?? '')) return [];
    const tookMs = now - step.since;
    return tookMs + storedLateMs < step.limitMs
      ? [about(run.runId, `${code} of ${effectId} (${entry.version}) after ${tookMs} of ${step.limitMs} ms`)]
      : [];
  });
}

/** What a stage does after an entry; undefined if the entry does not change that. */
function nextStep({ type, data }: Entry, step: Step | undefined, now: number): Step | undefined {
  if (type === 'EFFECT_REQUESTED')
    return data.kind === 'stage' ? { limits: data.limits, since: now, limitMs: data.limits.startWithinMs } : undefined;
  if (!step) return undefined;
  const { limits } = step;
  switch (type) {
    case 'EFFECT_CLAIMED':
      return { limits, since: now, limitMs: limits.prepareForMs ?? limits.runForMs };
    case 'EFFECT_STARTED':
      return { limits, since: now, limitMs: limits.runForMs };
    case 'EFFECT_WAITING':
      return { limits, since: now, limitMs: undefined };
    case 'EFFECT_ANSWERED':
    case 'EFFECT_ATTEMPT_FAILED':
      return { limits, since: now, limitMs: limits.startWithinMs };
    default:
      return undefined;
  }
}
