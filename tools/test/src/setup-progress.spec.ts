import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { run } from '../../setup/commands.mjs';
import { withProgress } from '../../setup/progress.mjs';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a step of the setup reports what it waits for after two seconds, and then at growing intervals', async () => {
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const done = withProgress(
    'nats server',
    (line: string) => lines.push(line),
    async (doing: (what: string) => void) => {
      doing('NATS server: go install');
      return promise;
    },
  );
  await jest.advanceTimersByTimeAsync(1_999);
  expect(lines).toEqual([]);
  await jest.advanceTimersByTimeAsync(12_001);
  expect(lines).toEqual([2, 6, 14].map((seconds) => `setup: NATS server: go install … ${seconds} s`));
  resolve('installed');
  expect(await done).toBe('installed');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(lines).toHaveLength(3);
});

test('the lines that a failed command has reported are not repeated in its error', async () => {
  jest.useRealTimers();
  const lines: string[] = [];
  const script = "console.log('NATS server: no access'); console.error('no NATS server'); process.exitCode = 1";
  const failed = run(process.execPath, ['-e', script], {
    cwd: process.cwd(),
    quiet: true,
    onLine: (line: string) => lines.push(line),
  });
  await expect(failed).rejects.toThrow(/exited with code 1\nno NATS server$/);
  expect(lines).toEqual(['NATS server: no access']);
});

test('a command ends when its process has exited, although a descendant keeps its output open', async () => {
  jest.useRealTimers();
  const script = 'sleep 600 & echo $!';
  const printed = await run('sh', ['-c', script], { cwd: process.cwd(), quiet: true });
  // The descendant still runs, so it was not its end that closed the output.
  process.kill(Number(printed), 'SIGKILL');
});
