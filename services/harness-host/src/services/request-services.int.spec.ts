import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mapParallel } from '@reins/contracts';
import { listRunProcesses } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';
import { startScriptedModel } from '@reins/scripted-model';
import { identityOf } from '@reins/service-kit/folders';
import { until } from '@reins/testing';
import { treeFromEntries } from '@reins/workspace-tree';
import { DEFAULT_SETTINGS, HostFixture } from '../testing/host-fixture.ts';

const NODE = process.execPath;
const REQUESTS = 20;
const STAGES = ['interview', 'execute', 'reflect'] as const;

/** Reports its start, and answers how often it was called and what the tree has. */
const SERVER = `
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
await fetch(process.env.STARTED);
const INFO = { capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
let calls = 0;
const answer = ({ method, params }) => {
  if (method === 'initialize') return { protocolVersion: params.protocolVersion, ...INFO };
  if (method === 'tools/list') return { tools: [{ name: 'count', inputSchema: { type: 'object' } }] };
  calls += 1;
  return { content: [{ type: 'text', text: 'call ' + calls + ' in ' + readdirSync('.').sort() }] };
};
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) }));
}`;

const APP = `
import { createServer } from 'node:http';
await fetch(process.argv[2]);
let calls = 0;
const answer = ({ method, params }) => {
  if (method === 'initialize')
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } };
  if (method === 'tools/list') return { tools: [{ name: 'count', inputSchema: { type: 'object' } }] };
  calls += 1;
  return { content: [{ type: 'text', text: 'call ' + calls }] };
};
createServer(async (request, response) => {
  if (request.url === '/up') return void response.end('ok');
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let text = '';
  for await (const chunk of request) text += chunk;
  const message = JSON.parse(text);
  if (message.id === undefined) return void response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) }));
}).listen(Number(process.env.MCP_PORT), '127.0.0.1');`;

/** Counts the starts by name. */
const starts = new Map<string, number>();
const counter = createServer(({ url = '' }, response) => {
  starts.set(url, (starts.get(url) ?? 0) + 1);
  response.end();
});
const model = await startScriptedModel({
  scenarios: {
    work: [
      ...['one', 'two', 'three', 'app'].map((name) => ({ tool: { name: `mcp__${name}__count`, args: {} } })),
      { text: 'Done.' },
    ],
  },
});
const BASE_URL = `${model.url}/s/work/v1`;
let fixture: HostFixture;
let tree: string;

beforeAll(async () => {
  counter.listen(0, '127.0.0.1');
  await once(counter, 'listening');
  fixture = await HostFixture.start();
  const entries = [
    { path: 'server.mjs', content: SERVER },
    { path: 'apps/app/app.mjs', content: APP },
    { path: '.reinsignore', content: 'ignored.txt\n' },
  ];
  tree = (await fixture.trees.put(treeFromEntries(entries))).treeId;
  const scripted = { api: 'openai-completions', baseUrl: BASE_URL, apiKey: 'sk-test-1234' } as const;
  await fixture.host({
    providers: { scripted },
    host: { ...DEFAULT_SETTINGS.host, runtimes: ['openai_chat'], slots: 2 },
  });
});
afterAll(async () => {
  await fixture.stop();
  await model.close();
  counter.close();
  expect(await hostProcesses()).toEqual([]);
});

const startUrl = (name: string): string => `http://127.0.0.1:${(counter.address() as AddressInfo).port}/${name}`;

async function hostProcesses() {
  const owner = await identityOf(process.pid);
  return (await listRunProcesses()).filter(({ token }) => token.startsWith(owner));
}

/** The number of servers and applications that run. */
async function servicesRunning(): Promise<number> {
  const own = (await hostProcesses()).map(async ({ pid, token }) => {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    return /STARTED=|MCP_PORT=/.test(environment) ? [token] : [];
  });
  return new Set((await Promise.all(own)).flat()).size;
}

const server = (name: string, command: readonly string[] = [NODE, 'server.mjs']) => ({
  name,
  config: {
    ...{ type: 'local' as const, enabled: true, command, timeout: 60_000 },
    environment: { STARTED: startUrl(name) },
  },
});

/** A server that all requests share. It does not need the tree. */
function sharedServer(name: string) {
  const { config } = server(name, [NODE, '--input-type=module', '-e', SERVER]);
  return { name, config: { ...config, isolation: 'workspace' as const } };
}

const services = (): Partial<HostRequest> => ({
  mcp_servers: [server('one'), server('two'), sharedServer('three')],
  applications: [
    {
      ...{ app_id: 'app', mcp: { transport: 'http-sse', port: 3099, path: '/mcp' }, start_command: '' },
      ...{ health_check: { target: 'mcp', path: '/up', timeout_s: 60, interval_s: 1 }, env_contract: [] },
      ...{ base_dir: 'apps/app', lifecycle: { setup: '', start: `exec ${NODE} app.mjs ${startUrl('app')}`, stop: '' } },
    },
  ],
});

/** Runs one stage. Returns the tree that it left and what its tools answered. */
async function runStage(requestId: string, stage: (typeof STAGES)[number], from: string) {
  const { effectId } = await fixture.request({
    ...{ runtimeId: 'openai_chat', stage, tree: from, instruction: 'Count.', event: { requestId } },
    request: {
      ...services(),
      ...{ provider_id: 'scripted', model_id: 'scripted-model' },
      model_client: {
        ...{ model_proxy_provider: 'openai_compatible', base_url: BASE_URL, default_headers: null },
        api_key: '{setting:providers.scripted.apiKey}',
      },
    },
  });
  const completed = await fixture.finalEvent(effectId);
  expect(completed).toEqual({ ...completed, type: 'runtime.stage.completed', error: undefined });
  const outputs = fixture.eventsOf('agent.tool.result', effectId).map(({ event }) => event.output);
  return { tree: completed.type === 'runtime.stage.completed' ? completed.tree : '', outputs };
}

/** Runs all stages of a request. Returns what the tools of each stage answered. */
async function runRequest(requestId: string): Promise<unknown[][]> {
  let current = tree;
  const outputs: unknown[][] = [];
  for (const stage of STAGES) {
    const result = await runStage(requestId, stage, current);
    outputs.push(result.outputs);
    current = result.tree;
  }
  fixture.bus.nc.publish(`runtime.request.completed.ws1.${requestId}`, '{}');
  return outputs;
}

test('servers and applications start once for a request of three stages, keep their state and end with it', async () => {
  const ids = Array.from({ length: REQUESTS }, (_, index) => `request-${index}`);
  const all = await mapParallel(ids, 2, runRequest);
  const files = 'in .reinsignore,apps,server.mjs';
  const answers = [1, 2, 3].map((nth) => [
    ...[`call ${nth} ${files}`, `call ${nth} ${files}`],
    ...[expect.stringMatching(/^call \d+ in $/), `call ${nth}`],
  ]);
  for (const outputs of all) expect(outputs).toEqual(answers);
  const ofShared = all.flat().map((outputs) => outputs[2]);
  expect(new Set(ofShared).size).toBe(REQUESTS * STAGES.length);
  expect(Object.fromEntries(starts)).toEqual({ '/one': 20, '/two': 20, '/three': 1, '/app': 20 });
  await until(async () => (await servicesRunning()) === 1);
}, 600_000);
