import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive } from '../../conformance/index.ts';
import { piAdapter } from './adapter.ts';

const model = await startScriptedModel({
  scenarios: {
    text: [
      { tool: { name: 'read', args: { path: '../outside.txt' } } },
      { tool: { name: 'bash', args: { command: 'cat ../outside.txt' } } },
      { tool: { name: 'bash', args: { command: 'echo $((6 * 7))' } } },
      { text: 'Done.' },
    ],
  },
});
afterAll(() => model.close());

const subject: ConformanceSubject = {
  adapter: piAdapter,
  endpoint: () => ({ api: 'openai-completions', baseUrl: `${model.url}/s/text/v1`, apiKey: 'sk-test' }),
  instruction: (_scenario, text) => text,
  folder: () => tempDir('pi-boundary'),
};

test.each([
  ['stay in the folder of the run', {}, [false, false, true]],
  ['leave it when the request allows it', { allowOutsideWorkDir: true }, [true, true, true]],
])('tools of pi %s', async (_name, more, allowed) => {
  const driven = await drive(subject, 'text', 'Look around.', more);
  await writeFile(join(dirname(driven.run.workDir), 'outside.txt'), 'a secret of another user');
  const { result } = await driven.result();
  expect(result).toMatchObject({ status: 'ok', output: 'Done.' });
  const results = driven.events.filter(({ phase }) => phase === 'agent.tool.result');
  expect(results.map(({ error }) => error === null)).toEqual(allowed);
  const denied = results.filter(({ error }) => error !== null);
  for (const { error } of denied) expect(JSON.stringify(error)).toContain('workspace boundary policy');
  expect(JSON.stringify(results).includes('a secret')).toBe(allowed[0]);
});
