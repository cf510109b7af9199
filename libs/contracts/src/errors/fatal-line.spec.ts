import { expect, test } from '@jest/globals';
import { fatalLine, fatalProblemIn } from './fatal-line.ts';

const problem = {
  code: 'harness_unknown',
  message: 'unknown runtime "codex"',
  path: 'host.runtimes',
  hint: 'Remove it.',
} as const;

test('the problem of a fatal log line is read back', () => {
  expect(fatalProblemIn(fatalLine('reins', problem))).toEqual(problem);
  expect(fatalProblemIn(fatalLine('reins', { code: 'internal_error', message: 'a\nb' }))).toEqual({
    code: 'internal_error',
    message: 'a\nb',
  });
});

test('other lines have no fatal problem', () => {
  const lines = [
    '',
    'harness_unknown: unknown runtime',
    '{"level":"error","msg":"lost"}',
    '{"level":"fatal","msg":',
    '{"level":"fatal","msg":7}',
    '{"msg":"it wrote \\"level\\":\\"fatal\\""}',
  ];
  expect(lines.map(fatalProblemIn)).toEqual(lines.map(() => undefined));
});

test('an unknown code becomes internal_error', () => {
  expect(fatalProblemIn('{"level":"fatal","code":"constructor","msg":"m"}')).toEqual({
    code: 'internal_error',
    message: 'm',
  });
});
