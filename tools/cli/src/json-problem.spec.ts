import { expect, test } from '@jest/globals';
import { jsonProblem } from './json-problem.ts';

test.each([
  ['{bad', 'unexpected "b" at line 1, column 2'],
  ['{"a": nux}', 'unexpected "x" at line 1, column 9'],
  ['{"a": 1,}', 'unexpected "}" at line 1, column 9'],
  ['[1,]', 'unexpected "]" at line 1, column 4'],
  ['{"a":\n  1 2}', 'unexpected "2" at line 2, column 5'],
  ['{"a": 1}}', 'unexpected "}" at line 1, column 9'],
  ['{"a": "b\\q"}', 'unexpected "q" at line 1, column 10'],
  ['{"a": tru', 'the text ends too early at line 1, column 10'],
  ['"abc', 'the text ends too early at line 1, column 5'],
  ['', 'the text ends too early at line 1, column 1'],
])('%j', (text, problem) => {
  expect(jsonProblem(text)).toBe(problem);
});
