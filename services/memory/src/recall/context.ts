import type { MemoryRecalled } from '@reins/contracts';

/** About four characters of ordinary text per token. */
const CHARS_PER_TOKEN = 4;

/** The recalled records as text for a prompt, within a number of tokens. */
export interface RecallContext {
  /** A line for each record: its id, kind, day and subject, and its text as a JSON string. */
  readonly context: string;
  readonly recordIds: readonly string[];
  /** How many records did not fit. */
  readonly omitted: number;
}

/**
 * Renders recalled records, best first. A record that does not fit is left out whole, and shorter ones after it are
 * tried. A text is quoted, so it stays on its line.
 */
export function contextOf(recalled: readonly MemoryRecalled[], maxTokens: number): RecallContext {
  const lines: string[] = [];
  const recordIds: string[] = [];
  let left = maxTokens * CHARS_PER_TOKEN;
  for (const { record } of recalled) {
    const line = lineOf(record);
    if (line.length + 1 > left) continue;
    left -= line.length + 1;
    lines.push(line);
    recordIds.push(record.id);
  }
  return { context: lines.join('\n'), recordIds, omitted: recalled.length - recordIds.length };
}

function lineOf({ id, kind, createdAt, subject, text = '' }: MemoryRecalled['record']): string {
  const about = subject === undefined ? '' : `, about ${JSON.stringify(subject)}`;
  return `- [${id}] ${kind}, ${createdAt.slice(0, 10)}${about}: ${JSON.stringify(text)}`;
}
