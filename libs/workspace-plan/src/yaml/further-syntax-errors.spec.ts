import { describe, expect, test } from '@jest/globals';
import { furtherSyntaxErrors } from './further-syntax-errors.ts';
import { SourceText } from './source-text.ts';

const linesOf = (text: string, knownLine: number): readonly number[] =>
  furtherSyntaxErrors(new SourceText(text), knownLine).map(({ position }) => position.line);

describe('further syntax errors', () => {
  test('are on other lines than the known error', () => {
    expect(linesOf('a: "\\q"\nb: 1\nc: "\\q"\n', 1)).toEqual([3]);
  });

  test.each(['[', '{env:', '- ', '? ', 'a: ['])('are not searched in a text that nests %j too deeply', (opening) => {
    expect(linesOf(`${opening.repeat(2_000)}{&a b:\nc: "\\q"\n`, 1)).toEqual([]);
  });
});
