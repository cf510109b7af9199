/** The stages of a pipeline in their order; a closed list. */
export const STAGES = ['interview', 'execute', 'evaluate', 'reflect'] as const;
export type Stage = (typeof STAGES)[number];

export function isStage(value: unknown): value is Stage {
  return STAGES.includes(value as Stage);
}

/** Where the choice of a stage's runtime comes from. */
export type RuntimeSource = 'request' | 'stage' | 'default' | 'fallback';
