import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type ScriptedModel, startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive, installedCodex } from '../../conformance/index.ts';
import { codexAdapter } from './adapter.ts';

const command = (cmd: string) => ({ tool: { name: 'exec_command', args: { cmd } } });
const patch = (file: string) => ({
  tool: { name: 'apply_patch', args: `*** Begin Patch\n*** Add File: ${file}\n+kept\n*** End Patch\n` },
});
const model: ScriptedModel = await startScriptedModel({
  scenarios: {
    text: [
      command('cat ../outside.txt'),
      command('cd .. && python3 -c \'print(open("outside.txt").read())\''),
      patch('../written.txt'),
      patch('inside.txt'),
      command('echo $((6 * 7)) $REINS_MODEL_KEY'),
      { text: 'Done.' },
    ],
  },
});
afterAll(() => model.close());

const subject: ConformanceSubject = {
  adapter: codexAdapter,
  harnessesDir: await installedCodex(),
  endpoint: () => ({ api: 'openai-responses', baseUrl: `${model.url}/s/text/v1`, apiKey: 'sk-canary-77' }),
  instruction: (_scenario, text) => text,
  folder: () => tempDir('codex-boundary'),
};

test.each([
  ['stay in the folder of the run', {}, [false, false, false, true, true]],
  ['leave it when the request allows it', { allowOutsideWorkDir: true }, [true, true, true, true, true]],
])('tools of Codex %s', async (_name, more, allowed) => {
  const driven = await drive(subject, 'text', 'Look around.', more);
  const root = dirname(driven.run.workDir);
  await writeFile(join(root, 'outside.txt'), 'a secret of another user');
  const { result } = await driven.result();
  expect(result).toMatchObject({ status: 'ok', output: 'Done.' });
  const results = driven.events.filter(({ phase }) => phase === 'agent.tool.result');
  expect(results.map(({ error }) => error === null)).toEqual(allowed);
  for (const { error } of results.filter(({ error }) => error !== null))
    expect(JSON.stringify(error)).toContain('workspace boundary policy');
  expect(JSON.stringify(results).includes('a secret')).toBe(allowed[0]);
  const written = await readFile(join(root, 'written.txt'), 'utf8').catch(() => undefined);
  expect(written).toBe(allowed[2] ? 'kept\n' : undefined);
  // The shell has no key of the model.
  expect(results[4]?.output).toBe('42\n');
});

test('a run has only the tools that it requested', async () => {
  const offered = async (tools: readonly string[]) => {
    const driven = await drive(subject, 'text', `Use ${tools.join()}.`, { tools });
    await driven.result();
    const handoff = driven.events.find(({ phase }) => phase === 'agent.handoff');
    const body = model.requests().findLast(({ body }) => JSON.stringify(body).includes(`Use ${tools.join()}.`))?.body;
    const names = (body as { tools: { name: string }[] }).tools.map(({ name }) => name);
    return { handoff: handoff?.tools, names };
  };
  expect(await offered([])).toEqual({ handoff: [], names: [] });
  expect(await offered(['write'])).toEqual({ handoff: ['apply_patch'], names: ['apply_patch'] });
  expect(await offered(['bash', 'read'])).toEqual({
    handoff: ['exec_command'],
    names: ['exec_command', 'write_stdin'],
  });
});
