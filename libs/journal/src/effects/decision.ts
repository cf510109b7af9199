import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { questionText } from '../facts/question-text.ts';
import type { EffectKind } from './effect-kind.ts';
import { WAIT_LIMITS } from './limits.ts';

/** What breakpoints and approvals have in common: a person decides. The entry of the decision has the facts. */
export const decision = {
  facts: { requested: 'runtime.approval.requested' },
  identity: [],
  requestedFields: () => ({}),
  resolvedBy: 'decision',
  limits: WAIT_LIMITS,
  deadline: 'expiry',
} as const satisfies EffectKind;

/** The suspension of a run by a decision. */
export const waitForDecision = <T extends 'breakpoint' | 'approval'>(reason: T) =>
  ({
    reason,
    message: ({ subject }: JsonObject) => subjectText(subject),
    resumedBecause: () => undefined,
    expired: ({ expiresAt = 'its deadline' }: JsonObject) => ({
      code: 'approval_expired',
      message: `no decision before ${expiresAt}`,
      hint: 'Decide earlier, or set a later expiresAt.',
    }),
  }) satisfies EffectKind['suspension'];

/** The question of a breakpoint, or what needs the approval. */
function subjectText(subject: JsonValue | undefined): string {
  if (!isObject(subject)) return '';
  const { detail, label, toolId } = subject as JsonObject;
  const asked = isObject(detail) && detail.payload !== undefined ? questionText(detail.payload as JsonValue) : '';
  return asked || [label, toolId].find((text) => typeof text === 'string') || '';
}
