import { decision, waitForDecision } from './decision.ts';
import type { EffectKind } from './effect-kind.ts';

/** An action that needs a person's approval. */
export const approval = {
  ...decision,
  suspension: waitForDecision('approval'),
} as const satisfies EffectKind;
