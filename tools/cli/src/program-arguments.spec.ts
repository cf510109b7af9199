import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runProgram } from './program.ts';

/** Nothing answers, so that no command line that happens to be right does anything. */
const ENV = { REINS_URL: 'http://127.0.0.1:1', REINS_STATE_DIR: '/nonexistent', REINS_API_KEY: 'k' };

async function reins(args: readonly string[]) {
  const told = { out: '', err: '' };
  const take = (stream: 'out' | 'err') => (text: string) => {
    told[stream] += text;
  };
  const exit = await runProgram(args, { env: ENV, out: take('out'), err: take('err') });
  return { exit, ...told };
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

test('any arguments with an option that there is not are wrong use, told in words', async () => {
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

test('whatever stands for an id, a command ends with a code that means something, and one JSON document', async () => {
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
