import { type EffectState, effectKind } from '@reins/journal';

export interface EffectDeadline {
  /**
   * `wake`: the time itself is the answer · `expiry`: what was waited for did not come · `start`: nobody began the work · `run`: no end of it
   * was heard of.
   */
  readonly timer: 'wake' | 'expiry' | 'start' | 'run';
  /** Milliseconds since the epoch. */
  readonly due: number;
}

/**
 * By when something must have happened to an effect, by what the journal says: which limits count for its kind. Pure, so whoever drives the
 * run waits for the same moments. Undefined for what waits for no moment.
 * @param marginMs for workers that keep the deadline themselves: their word is heard first
 */
export function effectDeadline(effect: EffectState, marginMs = 0): EffectDeadline | undefined {
  const { expiresAt, kind, limits, request, requestedAt, startedAt, status } = effect;
  // Whoever runs a step keeps its time.
  if (kind === 'step') return undefined;
  const until = typeof request.expiresAt === 'string' ? Date.parse(request.expiresAt) : undefined;
  const patience = Date.parse(requestedAt) + limits.runForMs;
  switch (kind) {
    case 'sleep':
      return { timer: 'wake', due: until ?? patience };
    case 'signal':
    case 'breakpoint':
    case 'approval':
      return { timer: 'expiry', due: until ?? patience };
    case 'task':
    case 'child':
      // Nobody says when a task was begun, and a child run keeps its own deadlines.
      return { timer: 'run', due: patience };
  }
  if (status === 'waiting')
    return expiresAt === undefined ? undefined : { timer: 'expiry', due: Date.parse(expiresAt) };
  if (startedAt !== undefined) return { timer: 'run', due: Date.parse(startedAt) + limits.runForMs + marginMs };
  const timer = effectKind(kind).started ? 'start' : 'run';
  // Plans and preparations are short: their workers only answer.
  const within = limits.startWithinMs + (timer === 'run' ? limits.runForMs : 0);
  return { timer, due: Date.parse(requestedAt) + within + marginMs };
}
