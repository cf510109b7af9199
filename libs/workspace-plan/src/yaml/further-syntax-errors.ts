import { parseDocument } from 'yaml';
import type { SourceText, TextPosition } from './source-text.ts';

/**
 * The tolerant parser is an order of magnitude slower, and quadratic for some errors, such as repeated keys, anchors
 * and runs of tabs.
 */
const MAX_LENGTH = 16 * 1024;
const MAX_ERRORS = 20;
/** The tolerant parser is recursive. Deeper nesting may overflow the stack. */
const MAX_NESTING = 200;

export interface SyntaxProblem {
  readonly reason: string;
  readonly position: TextPosition;
}

/**
 * Syntax errors on other lines than the known one, so that an author can fix them all in one edit. Empty for large or
 * deeply nested texts.
 */
export function furtherSyntaxErrors(text: SourceText, knownLine: number): readonly SyntaxProblem[] {
  if (text.body.length > MAX_LENGTH || mayNestDeeply(text.body)) return [];
  const lines = new Set([knownLine]);
  const problems: SyntaxProblem[] = [];
  for (const { message, pos } of errorsOf(text.body)) {
    const position = text.position(pos[0]);
    if (lines.has(position.line) || problems.length === MAX_ERRORS) continue;
    lines.add(position.line);
    problems.push({ reason: `${message} (${position.line}:${position.column})`, position });
  }
  return problems;
}

function errorsOf(text: string): readonly { readonly message: string; readonly pos: readonly [number, number] }[] {
  try {
    return parseDocument(text, { prettyErrors: false, logLevel: 'silent', merge: true }).errors;
  } catch {
    return []; // the first error is already reported
  }
}

/** Whether a text may be deeply nested, judged by its brackets and by the start of its lines. */
function mayNestDeeply(text: string): boolean {
  let brackets = 0;
  let lead = 0;
  let leading = true;
  for (const c of text) {
    if (c === '[' || c === '{') brackets += 1;
    else if (c === ']' || c === '}') brackets = Math.max(0, brackets - 1);
    if (c === '\n') [lead, leading] = [0, true];
    else if (leading && ' -?'.includes(c)) lead += 1;
    else leading = false;
    if (brackets + lead > MAX_NESTING) return true;
  }
  return false;
}
