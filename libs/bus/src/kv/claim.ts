/** Who works on an effect, or who did. */
export interface Claim {
  readonly attempt: number;
  readonly host: string;
  readonly state: 'working' | 'answered';
  /** Where the answer is kept, to be sent again. */
  readonly answerRef?: string;
}

/** What is kept of an attempt's heartbeat. */
export interface Beat {
  readonly host: string;
}

export const beatKey = (effectId: string, attempt: number): string => `beat.${effectId}.${attempt}`;
