import { describe, expect, test } from '@jest/globals';
import { furtherSyntaxErrors } from './further-syntax-errors.ts';
import { SourceText } from './source-text.ts';

const linesOf = (text: string, knownLine: number): readonly number[] =>
  furtherSyntaxErrors(new SourceText(text), knownLine).map(({ place }) => place.line);

describe('further errors of syntax', () => {
  test('stand on other lines than the one that is known', () => {
    expect(linesOf('a: "\\q"\nb: 1\nc: "\\q"\n', 1)).toEqual([3]);
  });

  test.each(['[', '{env:', '- ', '? ', 'a: ['])(
    'are not looked for where %j nests so deep that it would be a matter of the stack',
    (opening) => {
      expect(linesOf(`${opening.repeat(2_000)}{&a b:\nc: "\\q"\n`, 1)).toEqual([]);
    },
  );
});
