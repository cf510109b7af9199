/** The reasoning effort of an executor. */
export type ThinkingLevel = 'off' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

/** A parsed `thinking_value`. With level null, the executor uses its default. */
export interface Thinking {
  readonly level: ThinkingLevel | null;
  readonly budgets: Readonly<Partial<Record<ThinkingLevel, number>>> | null;
  /** Whether the value is valid or absent. */
  readonly known: boolean;
}

const LABELS: ReadonlyMap<string, ThinkingLevel> = new Map([
  ['off', 'off'],
  ['none', 'off'],
  ['false', 'off'],
  ['minimal', 'minimal'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'xhigh'],
  ['max', 'xhigh'],
  ['default', 'low'],
  ['true', 'medium'],
  ['enabled', 'medium'],
]);

/** The largest budget of each level, in ascending order. */
const BUDGET_STEPS: readonly (readonly [number, ThinkingLevel])[] = [
  [1024, 'minimal'],
  [4096, 'low'],
  [12288, 'medium'],
  [Number.POSITIVE_INFINITY, 'high'],
];

const INTEGER = /^[+-]?\d+$/;

/** Parses a raw `thinking_value`: a label in any case, or a token budget (negative means unlimited). */
export function parseThinking(value: string | null | undefined): Thinking {
  const text = value?.trim().toLowerCase() ?? '';
  if (text === '') return { level: null, budgets: null, known: true };
  const level = LABELS.get(text);
  if (level !== undefined) return { level, budgets: null, known: true };
  return INTEGER.test(text) ? fromBudget(Number(text)) : { level: null, budgets: null, known: false };
}

function fromBudget(budget: number): Thinking {
  if (budget === 0) return { level: 'off', budgets: null, known: true };
  const level = budget < 0 ? 'high' : (BUDGET_STEPS.find(([limit]) => budget <= limit)?.[1] ?? 'high');
  return { level, budgets: { [level]: budget }, known: true };
}
