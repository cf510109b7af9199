const REGULAR_EXPRESSION = /^\/(.*)\/([imsu]*)$/s;

/** A pattern is a plain string, or a regular expression written as `/…/flags`. */
function expressionOf(pattern: string): RegExp | undefined {
  const [, source, flags] = REGULAR_EXPRESSION.exec(pattern) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}

export function isPattern(pattern: string): boolean {
  try {
    expressionOf(pattern);
    return true;
  } catch {
    return false;
  }
}

/** Whether the pattern is found anywhere in the text. */
export function matchesText(pattern: string, text: string): boolean {
  return expressionOf(pattern)?.test(text) ?? text.includes(pattern);
}

/** Whether the pattern names this: a plain string must be equal, a regular expression must match. */
export function matchesName(pattern: string, name: string): boolean {
  return expressionOf(pattern)?.test(name) ?? pattern === name;
}
