import type { RuntimeStageRequested } from './generated/types.ts';

/** A stage of a pipeline. `proto/reins/v1/common.proto` declares the closed list. */
export type Stage = RuntimeStageRequested['stage'];

/** The stages, in the order of a pipeline. */
export const STAGES = ['interview', 'execute', 'evaluate', 'reflect'] as const satisfies readonly Stage[];

export function isStage(value: unknown): value is Stage {
  return STAGES.includes(value as Stage);
}

/** Where the choice of a stage's runtime comes from. */
export type RuntimeSource = 'request' | 'stage' | 'default' | 'fallback';
