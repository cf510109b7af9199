import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { makeRunFolder, type RunFolder } from '../executor/run-folder.ts';
import { DEFAULT_SETTINGS, HostFixture } from '../testing/host-fixture.ts';

/** A secret for each place in which a host has some. Only `inTree` may be found. */
const CANARIES = {
  inEnvironment: 'sk-canary-environment-1a7f',
  inSettings: 'sk-canary-settings-2b8e',
  inSettingsFile: 'sk-canary-settingsfile-3c9d',
  inKeyFile: 'sk-canary-keyfile-4d0c',
  unlisted: 'canary-variable-5e1b',
  ofOtherRun: 'canary-otherrun-6f2a',
  inTree: 'canary-tree-7a3f',
};

/** Encodes what is found, because the host redacts secrets that it recognises. */
const HEX = `od -An -v -tx1 | tr -d ' \\n'`;
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** Calls the door as a program of the run can, and prints all that comes back. */
const CALLS = `
const [address] = process.argv[1].split('\\n');
const token = process.env.REINS_MODEL_KEY;
const body = JSON.stringify({ model: 'scripted-model', messages: [{ role: 'user', content: 'Hello' }] });
for (const [method, path] of [['POST', '/chat/completions'], ['POST', '/responses'], ['GET', '/models'], ['GET', '']])
  for (const name of ['authorization', 'x-api-key']) {
    const headers = { [name]: name === 'authorization' ? 'Bearer ' + token : token };
    const sent = await fetch(address + path, { method, headers, ...(method === 'POST' && { body }) });
    console.log(sent.status, JSON.stringify([...sent.headers]), await sent.text());
  }
`;

const model = await startScriptedModel({ scenarios: { text: [{ text: 'placeholder' }] } });
let fixture: HostFixture;
let folder: string;
let other: RunFolder;
beforeAll(async () => {
  fixture = await HostFixture.start();
  // A folder that executors can read: that for temporary files is hidden as a whole.
  folder = await mkdtemp(join(process.cwd(), '.canaries-'));
  await writeFile(join(folder, 'key'), `${CANARIES.inKeyFile}\n`);
  await writeFile(join(folder, 'reins.yaml'), `providers: { a: { apiKey: ${CANARIES.inSettingsFile} } }`);
  other = await makeRunFolder();
  await writeFile(join(other.workDir, 'secret.txt'), CANARIES.ofOtherRun);
});
afterAll(async () => {
  await fixture.stop();
  await other.remove();
  await rm(folder, { recursive: true });
  await model.close();
});

/** A command that the policy of the workspace boundary cannot read, so only the sandbox stops it. */
const hidden = (command: string): string => `echo ${Buffer.from(command).toString('base64')} | base64 -d | bash`;

/** What the shell of pi prints for each command. */
async function outputsOf(sandbox: 'preferred' | 'off', commands: readonly string[]): Promise<readonly string[]> {
  const scenario = await startScriptedModel({
    scenarios: {
      text: [
        ...commands.map((text) => ({ tool: { name: 'bash', args: { command: hidden(text) } } })),
        { text: 'Done.' },
      ],
    },
  });
  const api = 'openai-completions' as const;
  const baseUrl = `${scenario.url}/s/text/v1`;
  const providers = {
    inKeyFile: { api, baseUrl, apiKeyFile: join(folder, 'key') },
    inEnvironment: { api, baseUrl, apiKeyEnv: 'CANARY_KEY' },
    inSettings: { api, baseUrl, apiKey: CANARIES.inSettings },
  };
  const host = await fixture.host(
    { providers, host: { ...DEFAULT_SETTINGS.host, runtimes: ['pi'], sandbox } },
    {
      CANARY_KEY: CANARIES.inEnvironment,
      CANARY_VARIABLE: CANARIES.unlisted,
      REINS_CONFIG: join(folder, 'reins.yaml'),
    },
  );
  const { effectId } = await fixture.request({
    runtimeId: 'pi',
    instruction: 'Look around.',
    request: {
      provider_id: 'inKeyFile',
      model_id: 'scripted-model',
      model_client: {
        model_proxy_provider: 'openai_compatible',
        api_key: '{setting:providers.inKeyFile.apiKeyFile}',
        base_url: baseUrl,
        default_headers: null,
      },
    },
  });
  expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed', output: 'Done.' });
  expect(JSON.stringify(fixture.allEvents(effectId))).not.toMatch(/canary-(?!tree)/);
  const results = fixture.eventsOf('agent.tool.result', effectId);
  expect(results).toHaveLength(commands.length);
  await host.stop();
  await scenario.close();
  return results.map((result) => JSON.stringify(result));
}

const found = (output: readonly string[]): string[] =>
  Object.entries(CANARIES).flatMap(([place, canary]) =>
    output.some((text) => text.includes(canary) || text.includes(hex(canary))) ? [place] : [],
  );

/** Plants a canary that a search must find, and searches what the executor itself has. */
const OWN = [
  `printf %s-%s canary tree-7a3f > planted.txt`,
  `env | ${HEX}`,
  `cat /proc/self/environ /proc/self/cmdline /proc/$PPID/environ /proc/$PPID/cmdline | ${HEX}`,
  `grep -rhas canary "$HOME/.." . | ${HEX}`,
  `node -e "$(printf %s '${Buffer.from(CALLS).toString('base64')}' | base64 -d)" ` +
    `"$(grep -rhoas 'http://127.0.0.1:[0-9]*/[^"]*' "$HOME/.." --include=models.json)" | ${HEX}`,
];

describe('a shell of pi finds no secret of the host', () => {
  test('in the sandbox, in all places that it can search', async () => {
    const outputs = await outputsOf('preferred', [
      ...OWN,
      `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | ${HEX}`,
      `cat ${folder}/key ${folder}/reins.yaml | ${HEX}`,
      `grep -rhas canary ${folder} /tmp /var/tmp /run /home /root /etc /dev/shm /dev/fd | ${HEX}`,
      `ls ${other.root} ${other.workDir}; cat ${other.workDir}/secret.txt | ${HEX}`,
    ]);
    expect(found(outputs)).toEqual(['inTree']);
    // Its calls were answered: one with the answer of the provider, others with a refusal.
    expect(outputs[4]).toContain(hex('"finish_reason"'));
    expect(outputs[4]).toContain(hex('model_call_unknown'));
  });

  test('without a sandbox, in its own environment, arguments and files', async () => {
    expect(found(await outputsOf('off', OWN))).toEqual(['inTree']);
  });
});
