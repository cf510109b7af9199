/** What differs between the kinds of effects that need something from outside. */
export interface OpenEffectKind {
  /** What ends the wait. */
  readonly takes: 'result' | 'answer' | 'decision' | 'signal';
  /** The reason of the wait, as `waitCommands` takes it. */
  readonly waitReason: string;
  /** What the effect waits for, in words. */
  readonly expects: (name: string | undefined) => string;
}

const DECISION = { takes: 'decision', expects: () => 'a decision' } as const;

/** A new kind of open effect is added here, and to the events that open it. */
const KINDS = {
  task: { takes: 'result', waitReason: 'task', expects: () => 'the result of a task' },
  breakpoint: { ...DECISION, waitReason: 'breakpoint' },
  approval: { ...DECISION, waitReason: 'approval' },
  question: { takes: 'answer', waitReason: 'user', expects: () => 'an answer to a question' },
  signal: { takes: 'signal', waitReason: 'signal', expects: (name) => `signal ${name}` },
} as const satisfies Readonly<Record<string, OpenEffectKind>>;

export type OpenEffectKindName = keyof typeof KINDS;

export const openEffectKind = (name: OpenEffectKindName): OpenEffectKind => KINDS[name];
