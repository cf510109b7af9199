import { parseDocument } from 'yaml';
import type { Place, SourceText } from './source-text.ts';

/** The tolerant parser is slower by an order of magnitude, and quadratic in some mistakes: repeated keys, anchors and runs of tabs among them. */
const MAX_LENGTH = 16 * 1024;
const MAX_ERRORS = 20;
/** It recurses: beyond this it is a matter of the stack whether it comes to an end. */
const MAX_NESTING = 200;

export interface SyntaxProblem {
  readonly reason: string;
  readonly place: Place;
}

/** Errors of syntax on other lines than the one that is known, so that an author can mend them all at once. */
export function furtherSyntaxErrors(text: SourceText, knownLine: number): readonly SyntaxProblem[] {
  if (text.body.length > MAX_LENGTH || nestsDeep(text.body)) return [];
  const lines = new Set([knownLine]);
  const problems: SyntaxProblem[] = [];
  for (const { message, pos } of errorsOf(text.body)) {
    const place = text.place(pos[0]);
    if (lines.has(place.line) || problems.length === MAX_ERRORS) continue;
    lines.add(place.line);
    problems.push({ reason: `${message} (${place.line}:${place.column})`, place });
  }
  return problems;
}

function errorsOf(text: string): readonly { readonly message: string; readonly pos: readonly [number, number] }[] {
  try {
    return parseDocument(text, { prettyErrors: false, logLevel: 'silent', merge: true }).errors;
  } catch {
    return []; // the first error was told already
  }
}

/** Whether a text may nest deep: by its brackets, or by what its lines begin with. */
function nestsDeep(text: string): boolean {
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
