import type { Limits } from '@reins/contracts';
import { type EffectState, effectKind } from '@reins/journal';

export interface EffectDeadline {
  /**
   * `wake`: a sleep has ended · `expiry`: an answer, approval or signal did not come in time · `start`: no worker
   * claimed the attempt · `prepare`: its worker did not start it · `run`: its end was not reported.
   */
  readonly timer: 'wake' | 'expiry' | 'start' | 'prepare' | 'run';
  /** Milliseconds since the epoch. */
  readonly due: number;
}

/**
 * The next deadline of an effect, by its kind and limits. Pure, so every owner computes the same. Undefined when the
 * effect has none.
 * @param marginMs additional time for workers that enforce the deadline themselves, so that they can report first
 */
export function effectDeadline(effect: EffectState, marginMs = 0): EffectDeadline | undefined {
  const { claimedAt, expiresAt, kind, limits, request, requestedAt, startedAt, status } = effect;
  const { deadline, facts } = effectKind(kind);
  const until = typeof request.expiresAt === 'string' ? Date.parse(request.expiresAt) : undefined;
  const patience = Date.parse(requestedAt) + limits.runForMs;
  switch (deadline) {
    case 'none':
      return undefined;
    case 'wake':
    case 'expiry':
      return { timer: deadline, due: until ?? patience };
    case 'run':
      return { timer: 'run', due: patience };
  }
  if (status === 'waiting')
    return expiresAt === undefined ? undefined : { timer: 'expiry', due: Date.parse(expiresAt) };
  if (startedAt !== undefined) return { timer: 'run', due: Date.parse(startedAt) + limits.runForMs + marginMs };
  if (claimedAt !== undefined)
    return { timer: 'prepare', due: Date.parse(claimedAt) + prepareForMs(limits) + marginMs };
  const timer = facts.started ? 'start' : 'run';
  // Plans and preparations are short, and their workers do not report a start.
  const within = limits.startWithinMs + (timer === 'run' ? limits.runForMs : 0);
  return { timer, due: Date.parse(requestedAt) + within + marginMs };
}

/** The time from the claim to the start. Limits that were recorded before preparations had their own lack it. */
export const prepareForMs = ({ prepareForMs: own, runForMs }: Limits): number => own ?? runForMs;
