/** The stages of a pipeline: a closed list, in their natural order. */
export const STAGES = ['interview', 'execute', 'evaluate', 'reflect'] as const;
export type Stage = (typeof STAGES)[number];

export function isStage(value: unknown): value is Stage {
  return STAGES.includes(value as Stage);
}

/** Where the runtime of a stage came from. */
export type RuntimeSource = 'request' | 'stage' | 'default' | 'fallback';
