import type { Stage, Verdict } from '@reins/contracts';

/** What earlier stages of the same run left for the ones after them. */
export interface StageHistory {
  /** What the interview found out is wanted. */
  readonly brief?: string | null;
  /** What the last execution said it did. */
  readonly execution?: string | null;
  /** How the last evaluation judged it. */
  readonly verdict?: Verdict | null;
  /** What the reflection on that judgement asks for. */
  readonly reflection?: string | null;
}

/** The JSON Schema of a verdict. */
export const VERDICT_SCHEMA = {
  type: 'object',
  properties: {
    outcome: { type: 'string', enum: ['pass', 'fail'] },
    score: { type: 'number', minimum: 0, maximum: 1 },
    reasons: { type: 'array', items: { type: 'string' } },
  },
  required: ['outcome', 'reasons'],
  additionalProperties: false,
} as const;

/** The line by which a reader of the text alone knows which stage it stands in. */
export function stageLine(stage: Stage): string {
  return `Reins stage: ${stage}`;
}

/** The lines that open every stage's instruction. */
export function stageMarker(stage: Stage, iteration: number): string {
  return `${stageLine(stage)}\nReins iteration: ${iteration}`;
}
