import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { runProgram } from '../program.ts';

const folder = await tempDir('installation-models');
afterAll(() => rmSync(folder, { recursive: true }));

const SETTINGS = `providers:
  local:
    api: openai-completions
    base_url: http://127.0.0.1:9/v1
    models: { team/priced: { input_price: 1, output_price: 2 } }
  openai: { api: openai-completions, base_url: https://api.openai.com/v1, api_key: k }
`;

beforeAll(() => {
  writeFileSync(join(folder, 'reins.yaml'), SETTINGS);
  writeFileSync(join(folder, 'override.yaml'), `${SETTINGS}model: { override: local/free }\n`);
  mkdirSync(join(folder, 'scripted/run'), { recursive: true });
  writeFileSync(join(folder, 'scripted/run/gateway.json'), '{"url": "http://127.0.0.1:9"}');
});

/** Compiles a workspace with this model, for an installation: the exit code and the first error. */
async function compile(model: string, more: string, env: Record<string, string>) {
  const dir = join(folder, 'workspace');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'workspace.yaml'), `agents: {id: a, model: ${model}}\nmcp_registry: {servers: {}}\n${more}`);
  let out = '';
  const write = (text: string): void => {
    out += text;
  };
  const state = { REINS_STATE_DIR: join(folder, 'none'), ...env };
  const exit = await runProgram(['compile', dir, '--json'], { env: state, out: write, err: () => {} });
  const { error = {} } = JSON.parse(out) as {
    error?: { code?: string; path?: string; message?: string; hint?: string };
  };
  return { exit, ...error };
}

const BUDGET = 'budgets: {max_cost_usd: 1}\n';
const CONFIGURED = { REINS_CONFIG: join(folder, 'reins.yaml') };

test('a model of a provider that is not configured is refused, with the providers that are', async () => {
  expect(await compile('opnai/gpt-5', '', CONFIGURED)).toMatchObject({
    exit: 1,
    code: 'model_provider_unconfigured',
    path: 'agents.model',
    message: "the provider 'opnai' of the model 'opnai/gpt-5' is not configured (configured: local, openai)",
    hint: 'Did you mean openai/gpt-5?',
  });
  expect(await compile('anthropic/claude-x', '', CONFIGURED)).toMatchObject({ code: 'model_provider_unconfigured' });
  for (const model of ['bare', 'local/any', 'team/priced', 'openai/gpt-5.4'])
    expect(await compile(model, '', CONFIGURED)).toEqual({ exit: 0 });
});

test('the runtimes of the stages decide whether a model needs a provider, not the others of the system', async () => {
  const offers = [
    { runtimeId: 'pi', capabilities: ['model'], providers: [{ providerId: 'local' }] },
    { runtimeId: 'echo', capabilities: [], providers: [] },
  ];
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ harnesses: offers }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  mkdirSync(join(folder, 'running/run'), { recursive: true });
  writeFileSync(join(folder, 'running/run/gateway.json'), JSON.stringify({ url: `http://127.0.0.1:${port}` }));
  writeFileSync(join(folder, 'free.yaml'), `${SETTINGS}runtime_profile: { default: pi, workspaceMayUse: [echo] }\n`);
  const running = { REINS_STATE_DIR: join(folder, 'running'), REINS_CONFIG: join(folder, 'free.yaml') };
  expect(await compile('google/x', '', running)).toMatchObject({ code: 'model_provider_unconfigured' });
  expect(await compile('google/x', 'runtime_profile: {default: echo}\n', running)).toEqual({ exit: 0 });
  server.close();
});

test('a limit of the cost needs a known price, as in a running system', async () => {
  const message = expect.stringMatching(
    /^the limit of 1 US dollars cannot be evaluated: the price of the model '.+' is unknown$/,
  );
  const unknown = { exit: 1, message, path: 'budgets.max_cost_usd' };
  expect(await compile('local/fake', BUDGET, CONFIGURED)).toMatchObject(unknown);
  expect(await compile('team/priced', BUDGET, CONFIGURED)).toEqual({ exit: 0 });
  expect(await compile('openai/gpt-5.4', BUDGET, CONFIGURED)).toEqual({ exit: 0 });
  const keyed = { OPENAI_API_KEY: 'k' };
  expect(await compile('openai/gpt-5.4', BUDGET, keyed)).toEqual({ exit: 0 });
  expect(await compile('openai/nosuch', BUDGET, keyed)).toMatchObject(unknown);
  expect(await compile('openai/gpt-5.4', BUDGET, { REINS_STATE_DIR: join(folder, 'scripted') })).toMatchObject({
    ...unknown,
    message: expect.stringContaining("the model 'scripted/scripted-model' is unknown"),
    hint: expect.stringContaining('the scripted model has no price'),
  });
});

test('the model of the installation replaces that of the workspace', async () => {
  const replaced = { REINS_CONFIG: join(folder, 'override.yaml') };
  expect(await compile('opnai/gpt-5', '', replaced)).toEqual({ exit: 0 });
  expect(await compile('openai/gpt-5.4', BUDGET, replaced)).toMatchObject({ exit: 1 });
});

test('without an installation, or with invalid settings, neither is checked', async () => {
  expect(await compile('opnai/gpt-5', BUDGET, {})).toEqual({ exit: 0 });
  expect(await compile('opnai/gpt-5', BUDGET, { REINS_PROVIDERS: '{' })).toEqual({ exit: 0 });
});

test.each([
  ['local/free', 1, /^budget_exceeded at budgets.max_cost_usd: .* the price of the model 'local\/free' is unknown/],
  // The command goes on to a gateway that does not run.
  ['team/priced', 3, /cannot reach the gateway/],
])('the model of a request (%s) needs a known price if the workspace limits the cost', async (model, code, text) => {
  const dir = join(folder, 'limited');
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    join(dir, 'workspace.yaml'),
    `agents: {id: a, model: team/priced}\nmcp_registry: {servers: {}}\n${BUDGET}`,
  );
  let err = '';
  const write = (text: string): void => {
    err += text;
  };
  const env = { ...CONFIGURED, REINS_STATE_DIR: join(folder, 'none'), REINS_URL: 'http://127.0.0.1:9' };
  const exit = await runProgram(['run', dir, '--input', 'x', '--model', model], { env, out: write, err: write });
  expect([exit, err]).toEqual([code, expect.stringMatching(text)]);
});
