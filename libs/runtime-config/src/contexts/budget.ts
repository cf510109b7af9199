/** Estimates tokens without a tokenizer: about four characters of ordinary text per token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** A text cut to a budget, with the number of tokens that were cut. */
export interface FittedText {
  readonly text: string;
  readonly tokens: number;
  readonly droppedTokens: number;
}

const CUT = '\n(cut here: the rest did not fit)';

/** Cuts a text to its budget, at the end of a line if possible, and appends a note. Deterministic. */
export function fitBudget(text: string, budget: number): FittedText {
  const tokens = estimateTokens(text);
  if (tokens <= budget) return { text, tokens, droppedTokens: 0 };
  const room = budget * 4 - CUT.length;
  if (room <= 0) return { text: '', tokens: 0, droppedTokens: tokens };
  const head = wholeCharacters(text.slice(0, room));
  const line = head.lastIndexOf('\n');
  const kept = `${(line > room / 2 ? head.slice(0, line) : head).trimEnd()}${CUT}`;
  return { text: kept, tokens: estimateTokens(kept), droppedTokens: tokens - estimateTokens(kept) };
}

/** Removes half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
