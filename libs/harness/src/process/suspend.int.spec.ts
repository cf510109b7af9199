import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir, until } from '@reins/testing';
import { sandboxes } from '../testing/sandboxes.ts';
import { childEnvironment } from './environment.ts';
import { HarnessProcess } from './harness-process.ts';
import type { ProcessSandbox } from './process-sandbox.ts';
import { resumeRuns, suspendRuns } from './suspend.ts';

/** Counts in a file, as fast as it can. */
const count = (file: string): string =>
  `let n = 0; setInterval(() => require('node:fs').writeFileSync(${JSON.stringify(file)}, String(n++)), 1);`;

async function startCounting(sandbox: ProcessSandbox | undefined, script: (homeDir: string) => string) {
  const homeDir = await tempDir('suspend');
  const runToken = randomUUID();
  const child = new HarnessProcess(
    {
      ...{ command: process.execPath, args: ['-e', script(homeDir)], cwd: homeDir, runToken, sandbox },
      environment: childEnvironment({ homeDir, runToken, path: process.env.PATH ?? '' }),
      ...{ writable: [homeDir], takesInput: true },
    },
    { line: () => undefined, lineTooLong: () => undefined },
  );
  return { child, runToken, counted: (file: string) => readFile(join(homeDir, file), 'utf8').catch(() => '') };
}

/** Waits until a file changes. */
async function changes(read: () => Promise<string>): Promise<void> {
  const before = await read();
  await until(async () => (await read()) !== before);
}

/** Two states of a file with many turns of the event loop in between. */
async function statesOf(read: () => Promise<string>): Promise<[string, string]> {
  const first = await read();
  const scratch = join(await tempDir('suspend'), 'file');
  for (let turn = 0; turn < 200; turn += 1) await writeFile(scratch, String(turn));
  return [first, await read()];
}

const bubblewrapped = (await sandboxes()).filter(({ isolation }) => isolation.backend === 'bubblewrap');

test.each([undefined, ...bubblewrapped])(
  'suspended processes change nothing until they are resumed (%#)',
  async (sandbox) => {
    const { child, runToken, counted } = await startCounting(sandbox, (homeDir) => count(join(homeDir, 'own')));
    const own = (): Promise<string> => counted('own');
    await changes(own);
    expect(await suspendRuns(new Set([runToken]))).toBe(true);
    const [first, second] = await statesOf(own);
    expect(second).toBe(first);
    await resumeRuns(new Set([runToken]));
    await changes(own);
    await child.stop();
  },
);

test.each(bubblewrapped)('a process without the token in the same sandbox is suspended, too', async (sandbox) => {
  const { child, runToken, counted } = await startCounting(sandbox, (homeDir) => {
    const script = JSON.stringify(count(join(homeDir, 'other')));
    return `require('node:child_process').spawn(process.execPath, ['-e', ${script}], { env: {}, detached: true }); ${count(join(homeDir, 'own'))}`;
  });
  const other = (): Promise<string> => counted('other');
  await changes(other);
  expect(await suspendRuns(new Set([runToken]))).toBe(true);
  const [first, second] = await statesOf(other);
  expect(second).toBe(first);
  await resumeRuns(new Set([runToken]));
  await changes(other);
  await child.stop();
});
