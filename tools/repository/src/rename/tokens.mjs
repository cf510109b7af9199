import { parse } from '@babel/parser';

/**
 * Splits a TypeScript or JavaScript source into the parts that a rename treats differently.
 *
 * Returns `{ names, strings, comments }`, each an array of `{ start, end, value }` with offsets into `source`:
 * identifiers (property names included), string literals (offsets include the quotes) and comments.
 * Throws a `SyntaxError` with the position when the source cannot be parsed.
 */
export function splitSource(source) {
  const { tokens } = parse(source, {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    tokens: true,
    // A name that is not declared in this part of a file does not matter to a rename.
    errorRecovery: true,
    plugins: ['typescript', 'decorators-legacy'],
  });
  const parts = { names: [], strings: [], comments: [] };
  for (const { type, start, end, value } of tokens) {
    if (type === 'CommentLine' || type === 'CommentBlock') parts.comments.push({ start, end, value });
    else if (type.label === 'name') parts.names.push({ start, end, value });
    else if (type.label === '#name') parts.names.push({ start: start + 1, end, value });
    else if (type.label === 'string') parts.strings.push({ start, end, value });
  }
  return parts;
}
