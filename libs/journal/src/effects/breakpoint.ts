import type { JsonObject, JsonValue } from '@reins/contracts';
import { decision, waitForDecision } from './decision.ts';
import type { EffectKind } from './effect-kind.ts';

/** A question of the process, for a person's decision. */
export const breakpoint = {
  ...decision,
  suspension: waitForDecision('breakpoint'),
  call: 'use ctx.breakpoint with a question',
  foreign: {
    taskId: '__sdk.breakpoint',
    identity: ({ subject }) => subjectOf(subject).label,
    args: ({ subject }) => (subjectOf(subject).detail as JsonObject | undefined)?.payload ?? null,
  },
} as const satisfies EffectKind;

const subjectOf = (subject: JsonValue | undefined): JsonObject => (subject as JsonObject | undefined) ?? {};
