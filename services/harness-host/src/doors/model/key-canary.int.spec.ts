import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { DEFAULT_SETTINGS, HostFixture } from '../../testing/host-fixture.ts';

/** The key of the provider. Reversed and encoded forms are searched for, because redaction hides the plain one. */
const KEY = 'sk-canary-0f9d2c7b5e';
const HIDDEN_FORMS = [KEY, [...KEY].reverse().join(''), Buffer.from(KEY).toString('hex')];
/** A false key that the shell writes to a file of its run. The search must find it. */
const PLANTED = 'sk-canary-12345678';

/** What a shell tool can try. Each prints what it finds in a form that redaction does not recognise. */
const ATTEMPTS = {
  'its environment': 'env | rev',
  'all processes that it sees': String.raw`P=$(echo L3Byb2M= | base64 -d); cat $P/[0-9]*/environ $P/[0-9]*/cmdline 2>&1 | tr '\0' '\n' | rev`,
  // The boundary policy refuses paths outside the working directory, but does not see those in variables.
  'the files of its run': String.raw`H=$(printenv HOME); grep -rhos 'sk-canary-[0-9a-f]\+' "$H"/.. | od -An -v -tx1 | tr -d ' \n'`,
} as const;
/** No command has the false key as text, because sessions record commands. */
const PLANT = "printf 'sk-%s-%s' canary 12345678 > planted.txt";
/** Shows that the environment is that of a run. */
const TRACES = 'echo "$REINS_MODEL_KEY" | cut -c1-10';
const COMMANDS = [PLANT, ...Object.values(ATTEMPTS), TRACES];

const model = await startScriptedModel({
  scenarios: {
    text: [...COMMANDS.map((command) => ({ tool: { name: 'bash', args: { command } } })), { text: 'Done.' }],
  },
});
let fixture: HostFixture;
beforeAll(async () => {
  fixture = await HostFixture.start();
});
afterAll(async () => {
  await fixture.stop();
  await model.close();
});

async function outputsWith(sandbox: 'preferred' | 'off'): Promise<string> {
  const scripted = {
    api: 'openai-completions',
    baseUrl: `${model.url}/s/text/v1`,
    apiKeyEnv: 'CANARY_KEY',
  } as const;
  const host = await fixture.host(
    { providers: { scripted }, host: { ...DEFAULT_SETTINGS.host, runtimes: ['pi'], sandbox } },
    { CANARY_KEY: KEY },
  );
  const { effectId } = await fixture.request({
    runtimeId: 'pi',
    instruction: 'Look around.',
    request: {
      provider_id: 'scripted',
      model_id: 'scripted-model',
      model_client: {
        model_proxy_provider: 'openai_compatible',
        api_key: '{env:CANARY_KEY}',
        base_url: scripted.baseUrl,
        default_headers: null,
      },
    },
  });
  expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed', output: 'Done.' });
  const results = fixture.eventsOf('agent.tool.result', effectId);
  expect(results).toHaveLength(COMMANDS.length);
  await host.stop();
  return JSON.stringify(results);
}

describe.each(['preferred', 'off'] as const)('with host.sandbox: %s, a shell of pi', (sandbox) => {
  test('does not find the key of the provider', async () => {
    const output = await outputsWith(sandbox);
    for (const form of HIDDEN_FORMS) expect(output).not.toContain(form);
    expect(output).toContain(Buffer.from(PLANTED).toString('hex'));
    expect(output).toContain('reins-run-');
  });
});
