import type { EffectState, EntryDraft } from '@reins/journal';
import { type Posted, resolution } from './answers.ts';

/** What is answered by time alone: a sleep is over, and what had a deadline has failed. Every other effect is left to whoever answers it. */
export function dueAnswers(pending: readonly EffectState[], now: Date): EntryDraft[] {
  return pending
    .filter(({ request: { expiresAt } }) => typeof expiresAt === 'string' && Date.parse(expiresAt) <= now.getTime())
    .flatMap((effect) => {
      const answer = byTime(effect);
      return answer ? [{ type: 'EFFECT_RESOLVED' as const, data: resolution(effect, answer) }] : [];
    });
}

function byTime({ kind, request: { name, expiresAt } }: EffectState): Posted | undefined {
  switch (kind) {
    case 'sleep':
      return { status: 'ok', value: null };
    case 'signal':
      return failed('signal_timeout', `no signal ${String(name)} came until ${String(expiresAt)}`);
    case 'approval':
    case 'breakpoint':
      return failed('approval_expired', `nobody decided until ${String(expiresAt)}`);
    default:
      return undefined;
  }
}

const failed = (code: 'signal_timeout' | 'approval_expired', message: string): Posted => ({
  status: 'error',
  error: { code, message },
});
