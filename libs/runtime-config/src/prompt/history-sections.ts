import type { Problem } from '@reins/contracts';
import { fitBudget } from '../contexts/budget.ts';
import type { StageHistory } from '../stages.ts';
import { handoffText } from './handoff-text.ts';
import type { PromptSection } from './sections.ts';

interface HistoryPart {
  readonly key: keyof StageHistory;
  readonly id: string;
  readonly heading: string;
  /** The maximum number of tokens. */
  readonly budget: number;
}

/** In chronological order. */
const PARTS: readonly HistoryPart[] = [
  { key: 'brief', id: 'stage_brief', heading: 'The brief of this run (from its interview stage):', budget: 6000 },
  { key: 'execution', id: 'stage_execution', heading: 'What the last execute stage says that it did:', budget: 4000 },
  { key: 'verdict', id: 'stage_verdict', heading: 'How the last evaluation judged it:', budget: 2000 },
  { key: 'reflection', id: 'stage_reflection', heading: 'What the reflection asks of the next attempt:', budget: 4000 },
  {
    key: 'handoffs',
    id: 'stage_handoffs',
    heading: 'What earlier stages, in other conversations, decided, changed, did with tools and left open:',
    budget: 1500,
  },
];

/** The results of earlier stages, as context messages within their budgets. */
export interface ProjectedHistory {
  readonly sections: readonly PromptSection[];
  readonly warnings: readonly Problem[];
}

/** Projects the history of a run to prompt sections for its next stage. */
export function projectHistory(history: StageHistory): ProjectedHistory {
  const warnings: Problem[] = [];
  const sections = PARTS.map(({ key, id, heading, budget }, index): PromptSection => {
    const { text, droppedTokens } = fitBudget(
      key === 'handoffs' ? handoffText(history.handoffs ?? []) : textOf(history[key]),
      budget,
    );
    if (droppedTokens > 0) warnings.push(truncated(key, budget, droppedTokens));
    return {
      id,
      channel: 'context_message',
      apply_at: 'runtime_config',
      precedence: 'runtime_context',
      priority: 600 + index,
      volatility: 'run',
      content: text === '' ? '' : `${heading}\n${text}`,
    };
  });
  return { sections, warnings };
}

function textOf(part: StageHistory[Exclude<keyof StageHistory, 'handoffs'>]): string {
  if (part === null || part === undefined) return '';
  if (typeof part === 'string') return part.trim();
  const score = part.score === undefined ? '' : ` (score ${part.score})`;
  return [`Outcome: ${part.outcome}${score}`, ...part.reasons.map((reason) => `- ${reason}`)].join('\n');
}

function truncated(key: string, budget: number, dropped: number): Problem {
  return {
    code: 'context_truncated',
    message: `the '${key}' of the run exceeds its budget of ${budget} tokens; about ${dropped} tokens were cut`,
    path: `history.${key}`,
    hint: 'Read the full text in the completion of its stage.',
  };
}
