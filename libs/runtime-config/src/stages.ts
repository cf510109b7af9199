import type { EndedStage, Stage, Verdict } from '@reins/contracts';

/** The results of earlier stages of the same run. */
export interface StageHistory {
  /** The brief of the interview stage. */
  readonly brief?: string | null;
  /** The output of the last execution. */
  readonly execution?: string | null;
  /** The verdict of the last evaluation. */
  readonly verdict?: Verdict | null;
  /** The reflection on that verdict. */
  readonly reflection?: string | null;
  /** What earlier stages left: goals, decisions, changed files, calls of tools, open questions and steps. Oldest first. */
  readonly handoffs?: readonly EndedStage[];
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

/** The line that names the stage in a prompt. */
export function stageLine(stage: Stage): string {
  return `Reins stage: ${stage}`;
}

/** The first lines of every stage's instruction. */
export function stageMarker(stage: Stage, iteration: number): string {
  return `${stageLine(stage)}\nReins iteration: ${iteration}`;
}
