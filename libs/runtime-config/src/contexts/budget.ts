/** An estimate that needs no tokenizer: four characters of ordinary text are about one token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** What fits a budget, and how much did not. */
export interface FittedText {
  readonly text: string;
  readonly tokens: number;
  readonly droppedTokens: number;
}

const CUT = '\n(cut here: the rest did not fit)';

/** Cuts a text to its budget at the end of a line where it can, and says so in it. The same text is always cut at the same place. */
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

/** Without half of a character that UTF-16 writes as two units. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
