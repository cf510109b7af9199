import type { StageHistory } from '../stages.ts';
import type { PromptSection } from './sections.ts';

const HISTORY_HEADINGS: readonly (readonly [keyof StageHistory, string, string])[] = [
  ['brief', 'stage_brief', 'The brief of this run (from its interview stage):'],
  ['execution', 'stage_execution', 'What the last execute stage says that it did:'],
  ['verdict', 'stage_verdict', 'How the last evaluation judged it:'],
  ['reflection', 'stage_reflection', 'What the reflection asks of the next attempt:'],
];

/** What earlier stages of the run left, as context messages in the order in which they came about. */
export function historySections(history: StageHistory): readonly PromptSection[] {
  return HISTORY_HEADINGS.map(([key, id, heading], index) => {
    const text = historyText(history[key]);
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
}

function historyText(part: StageHistory[keyof StageHistory]): string {
  if (part === null || part === undefined) return '';
  if (typeof part === 'string') return part.trim();
  const score = part.score === undefined ? '' : ` (score ${part.score})`;
  return [`Outcome: ${part.outcome}${score}`, ...part.reasons.map((reason) => `- ${reason}`)].join('\n');
}
