import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { networkLimit, probe } from '@reins/os-sandbox';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { DEFAULT_SETTINGS, HostFixture, type HostSettings } from './testing/host-fixture.ts';

const STAGE_MS = 120_000;
/** How this host can restrict the network of a sandbox. */
const limit = await networkLimit(await probe());

/** A registry for npm with one package, on an address of the loopback interface that no variable excludes from proxies. */
const HOST = '127.0.0.2';
let [registry, port]: [Server, number] = [undefined as never, 0];
beforeAll(async () => {
  const root = await tempDir('registry');
  await mkdir(join(root, 'package'));
  await writeFile(join(root, 'package', 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0' }));
  await promisify(execFile)('tar', ['czf', join(root, 'tiny.tgz'), '-C', root, 'package']);
  const tarball = await readFile(join(root, 'tiny.tgz'));
  registry = createServer((request, response) => {
    if (request.url === '/tiny.tgz') return void response.end(tarball);
    if (request.url !== '/tiny') return void response.writeHead(404).end();
    const dist = { tarball: `http://${HOST}:${port}/tiny.tgz` };
    const version = { name: 'tiny', version: '1.0.0', dist };
    const document = { name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  }).listen(0, HOST);
  await once(registry, 'listening');
  port = (registry.address() as AddressInfo).port;
});
afterAll(() => {
  registry.close();
});

/** Runs commands of pi's shell and a tool of Reins in a stage. Returns the results, and the refused connections. */
async function runOn(network: Partial<HostSettings['host']>, commands: (nats: string) => readonly string[]) {
  const fixture = await HostFixture.start();
  const bash = commands(new URL(fixture.nats.url).port).map((command) => ({
    tool: { name: 'bash', args: { command } },
  }));
  const todos = [{ content: 'Look', status: 'completed' }];
  const steps = [...bash, { tool: { name: 'todowrite', args: { todos } } }, { text: 'Done.' }];
  const model = await startScriptedModel({ scenarios: { network: steps } });
  try {
    const api = 'openai-completions' as const;
    const providers = { scripted: { api, baseUrl: `${model.url}/s/network/v1`, apiKey: 'sk-test-1234' } };
    const host = { ...DEFAULT_SETTINGS.host, runtimes: ['pi'], ...network };
    await fixture.host({ providers, host });
    const { effectId } = await fixture.request({
      runtimeId: 'pi',
      instruction: 'Try the network.',
      request: {
        provider_id: 'scripted',
        model_id: 'scripted-model',
        tools: { bash: true, todowrite: true },
        model_client: {
          model_proxy_provider: 'openai_compatible',
          api_key: '{setting:providers.scripted.apiKey}',
          base_url: `${model.url}/s/network/v1`,
          default_headers: null,
        },
      },
    });
    const answer = await fixture.finalEvent(effectId);
    const results = fixture.eventsOf('agent.tool.result', effectId).map(({ event }) => JSON.stringify(event));
    const refused = fixture.eventsOf('runtime.adapter.event', effectId).map(({ event }) => event);
    return { answer, results, refused };
  } finally {
    await fixture.stop();
    await model.close();
  }
}

/** Connects from Node.js without a proxy, and prints a word that the command does not contain. */
const connecting = (to: string): string =>
  `node -e "require('net').connect(${to}, '127.0.0.1').on('connect', () => console.log('conn' + 'ected')).on('error', (e) => console.log('refused', e.code)).setTimeout(3000, () => process.exit())"`;

/** Asks the door to the model for a tunnel to another port, and for a request to it. */
const throughDoor = (port: string): string => {
  const code = `const { providers } = JSON.parse(require('fs').readFileSync(process.env.PI_CODING_AGENT_DIR + '/models.json'));
const door = Number(new URL(Object.values(providers)[0].baseUrl).port);
for (const line of ['CONNECT 127.0.0.1:${port}', 'GET http://127.0.0.1:${port}/']) {
  const c = require('net').connect(door, '127.0.0.1', () => c.write(line + ' HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\n\\r\\n'));
  c.on('data', (d) => console.log('door', String(d))).on('error', (e) => console.log(e.code)).setTimeout(2000, () => c.destroy());
}`;
  return `node -e "eval(Buffer.from('${Buffer.from(code).toString('base64')}', 'base64').toString())"`;
};

const install = (): string =>
  `npm install --no-audit --no-fund --fetch-retries=0 --registry=http://${HOST}:${port}/ tiny && cat node_modules/tiny/package.json`;

test(
  'an open network reaches the services of the host',
  async () => {
    const { answer, results } = await runOn({}, (nats) => [connecting(nats)]);
    expect(answer.type).toBe('runtime.stage.completed');
    expect(results[0]).toContain('connected');
  },
  STAGE_MS,
);

// Without bubblewrap or a recent Landlock, such settings are refused (network-mode.spec.ts), and no host starts with them.
if (limit !== 'none')
  describe('a restricted network', () => {
    test(
      'with doors, the model and the tools of the run work, and nothing else',
      async () => {
        const { answer, results } = await runOn({ network: 'doors' }, (nats) => [
          connecting(nats),
          install(),
          throughDoor(nats),
        ]);
        expect(answer).toMatchObject({ type: 'runtime.stage.completed' });
        expect(results).toHaveLength(4);
        expect(results[0]).toMatch(/refused E/);
        expect(results[1]).not.toContain('1.0.0');
        expect(results[2]).toContain('run_token_invalid');
        expect(results[2]).not.toMatch(/INFO|Connection established/);
        expect(results[3]).toContain('Look');
      },
      STAGE_MS,
    );

    test(
      'with an allow-list, npm installs from an allowed registry',
      async () => {
        const network = { network: 'allow-list' as const, allow: [`${HOST}:${port}`] };
        const { answer, results, refused } = await runOn(network, (nats) => [
          `${install()}; printenv HTTP_PROXY`,
          connecting(nats),
          'curl -sS http://example.invalid/; curl -sS https://169.254.169.254/; echo $?',
          `curl -s -x "$HTTP_PROXY" --noproxy none http://127.0.0.1:${nats}/`,
          `node -e "fetch('http://example.invalid/').then((r) => r.text()).then(console.log, (e) => console.log(e.cause))"`,
        ]);
        expect(answer).toMatchObject({ type: 'runtime.stage.completed' });
        expect(results[0]).toContain('1.0.0');
        expect(results[0]).toMatch(/run:\[redacted[^@]*@/i);
        expect(results[1]).toMatch(/refused E/);
        expect(results[2]).toContain('network_connect_denied');
        expect(results[3]).toContain('network_connect_denied');
        expect(results[4]).toMatch(/network_connect_denied|403/);
        expect(refused).toMatchObject([
          {
            nativeType: 'network_connect_denied',
            detail: { host: 'example.invalid', port: 80, setting: 'host.allow' },
          },
          { nativeType: 'network_connect_denied', detail: { host: '169.254.169.254', port: 443 } },
          { nativeType: 'network_connect_denied', detail: { host: '127.0.0.1' } },
        ]);
      },
      STAGE_MS,
    );
  });
