/** How hard an executor is asked to think. */
export type ThinkingLevel = 'off' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

/** What a `thinking_value` means to an executor. A level of null leaves the executor's own default. */
export interface Thinking {
  readonly level: ThinkingLevel | null;
  readonly budgets: Readonly<Partial<Record<ThinkingLevel, number>>> | null;
  /** Whether the value is one that is known (or none at all). */
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

/** The largest budget of each level, smallest first. */
const BUDGET_STEPS: readonly (readonly [number, ThinkingLevel])[] = [
  [1024, 'minimal'],
  [4096, 'low'],
  [12288, 'medium'],
  [Number.POSITIVE_INFINITY, 'high'],
];

const INTEGER = /^[+-]?\d+$/;

/** Reads a raw `thinking_value`: a label in any case, or a budget in tokens (negative: as much as the model likes). */
export function parseThinking(value: string | null | undefined): Thinking {
  const text = value?.trim().toLowerCase() ?? '';
  if (text === '') return { level: null, budgets: null, known: true };
  const level = LABELS.get(text);
  if (level !== undefined) return { level, budgets: null, known: true };
  return INTEGER.test(text) ? ofBudget(Number(text)) : { level: null, budgets: null, known: false };
}

function ofBudget(budget: number): Thinking {
  if (budget === 0) return { level: 'off', budgets: null, known: true };
  const level = budget < 0 ? 'high' : (BUDGET_STEPS.find(([limit]) => budget <= limit)?.[1] ?? 'high');
  return { level, budgets: { [level]: budget }, known: true };
}

/**
 * The effort words of an OpenAI-style endpoint whose own label differs from the level that it stands for: `{low: "default"}`.
 * Null where the label is the level, or a number.
 */
export function effortLabels(
  value: string | null | undefined,
): Readonly<Partial<Record<ThinkingLevel, string>>> | null {
  const { level, budgets } = parseThinking(value);
  const label = value?.trim() ?? '';
  return level === null || budgets !== null || label === level || label === '0' ? null : { [level]: label };
}
