const REGULAR_EXPRESSION = /^\/(.*)\/([imsu]*)$/s;

/** A pattern is a plain string or a regular expression in the form `/…/flags`. */
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

/** Whether the text contains a match of the pattern. */
export function matchesText(pattern: string, text: string): boolean {
  return expressionOf(pattern)?.test(text) ?? text.includes(pattern);
}

/** Whether a name matches the pattern: a plain string must be equal, a regular expression must match. */
export function matchesName(pattern: string, name: string): boolean {
  return expressionOf(pattern)?.test(name) ?? pattern === name;
}
