import type { Stage } from '@reins/contracts';

/** What an evaluation ends with. */
export interface Verdict {
  readonly outcome: 'pass' | 'fail';
  readonly score?: number;
  readonly reasons: readonly string[];
}

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

/** The lines that open every stage's instruction, so that a reader of the text alone knows where it stands. */
export function stageMarker(stage: Stage, iteration: number): string {
  return `Reins stage: ${stage}\nReins iteration: ${iteration}`;
}
