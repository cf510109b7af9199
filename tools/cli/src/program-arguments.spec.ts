import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runProgram } from './program.ts';

/** No server listens here, so that a valid command line has no effect. */
const ENV = { REINS_URL: 'http://127.0.0.1:1', REINS_STATE_DIR: '/nonexistent', REINS_API_KEY: 'k' };

async function reins(args: readonly string[]) {
  const output = { out: '', err: '' };
  const append = (stream: 'out' | 'err') => (text: string) => {
    output[stream] += text;
  };
  const exit = await runProgram(args, { env: ENV, out: append('out'), err: append('err') });
  return { exit, ...output };
}

const word = fc.oneof(
  fc.constantFrom(
    'run',
    'requests',
    'show',
    'compile',
    'dead',
    'run:status',
    'task:post',
    '--json',
    '--',
    '-',
    '',
    '--limit',
  ),
  fc.string({ unit: 'binary' }),
  fc.string().map((text) => `--${text}`),
);

test('the input of `run` as an argument is refused with its option', async () => {
  const { exit, err } = await reins(['run', 'weather', 'How is the weather?']);
  expect(exit).toBe(2);
  expect(err).toContain("Pass the input with `--input '<text>'`.");
});

test('an option that is not JSON names the place', async () => {
  const { exit, err } = await reins(['run', '.', '--inputs', '{bad']);
  expect([exit, err]).toEqual([2, expect.stringContaining('--inputs is not valid JSON: unexpected "b" at line 1')]);
});

test('any arguments with an unknown option are wrong usage', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (words) => {
      fc.pre(!words.some((each) => ['--', '-h', '--help', '-v', '--version', 'help', 'complete'].includes(each)));
      const { exit, out, err } = await reins(['requests', 'list', '--no-such-option', ...words]);
      expect(exit).toBe(2);
      expect(words.includes('--json') ? JSON.parse(out).error.code : err).toContain('wrong_usage');
    }),
    { numRuns: 200 },
  );
});

test('with any text as an id, a command prints one JSON document and returns a documented exit code', async () => {
  const command = fc.constantFrom(['requests', 'show'], ['requests', 'cancel'], ['stages'], ['why']);
  await fc.assert(
    fc.asyncProperty(command, fc.string({ unit: 'binary', minLength: 1 }), async (words, id) => {
      fc.pre(!id.startsWith('-'));
      const { exit, out } = await reins([...words, id, '--json']);
      expect([1, 2, 3]).toContain(exit);
      expect(JSON.parse(out)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    }),
    { numRuns: 100 },
  );
});
