import type { EventOf } from '@reins/contracts';
import { type EffectState, effectKind, isEnded, pendingEffects, type RunState } from '@reins/journal';

export interface Deadline {
  readonly effectId: string;
  readonly attempt: number;
  readonly timer: EventOf<'timer.due'>['timer'];
  /** Milliseconds since the epoch. */
  readonly due: number;
}

/** Workers keep their own deadline; the run's comes a little later, so that their word is heard first. */
const MARGIN_MS = 5_000;

/** When something must have happened, by what the journal says. Pure, so a new owner waits for the same moments. */
export function deadlinesOf(state: RunState, cancelGraceMs: number): Deadline[] {
  if (isEnded(state)) return [];
  const effects = pendingEffects(state).flatMap((effect) => effectDeadline(effect) ?? []);
  const { assignBy, cancelRequested, processError, run } = state;
  return [
    ...effects,
    ...(cancelRequested ? [ofRun(run.runId, 'grace', Date.parse(cancelRequested.at) + cancelGraceMs)] : []),
    ...(processError ? [ofRun(run.runId, 'expiry', Date.parse(processError.expiresAt))] : []),
    ...(assignBy === undefined ? [] : [ofRun(run.runId, 'expiry', Date.parse(assignBy))]),
  ];
}

function effectDeadline(effect: EffectState): Deadline | undefined {
  const { effectId, attempt, expiresAt, kind, limits, request, requestedAt, startedAt, status } = effect;
  const own = { effectId, attempt };
  const until = typeof request.expiresAt === 'string' ? Date.parse(request.expiresAt) : undefined;
  const patience = Date.parse(requestedAt) + limits.runForMs;
  switch (kind) {
    case 'step':
      // Whoever runs it keeps its time.
      return undefined;
    case 'sleep':
      return { ...own, timer: 'wake', due: until ?? patience };
    case 'signal':
    case 'breakpoint':
    case 'approval':
      return { ...own, timer: 'expiry', due: until ?? patience };
    case 'task':
    case 'child':
      // Nobody says when a task was begun, and a child run keeps its own deadlines.
      return { ...own, timer: 'run', due: patience };
  }
  if (status === 'waiting') {
    return expiresAt === undefined ? undefined : { effectId, attempt, timer: 'expiry', due: Date.parse(expiresAt) };
  }
  if (startedAt !== undefined)
    return { effectId, attempt, timer: 'run', due: Date.parse(startedAt) + limits.runForMs + MARGIN_MS };
  const timer = effectKind(kind).started ? 'start' : 'run';
  // Plans and preparations are short: their workers only answer.
  const within = limits.startWithinMs + (timer === 'run' ? limits.runForMs : 0);
  return { effectId, attempt, timer, due: Date.parse(requestedAt) + within + MARGIN_MS };
}

/** A deadline of the run itself stands under its run id. */
const ofRun = (effectId: string, timer: 'grace' | 'expiry', due: number): Deadline => ({
  effectId,
  attempt: 1,
  timer,
  due,
});
