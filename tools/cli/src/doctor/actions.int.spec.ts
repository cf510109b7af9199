import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bus, connectBus, openBucket, provision } from '@reins/bus';
import type { HarnessOffer } from '@reins/contracts';
import { startScriptedModel } from '@reins/scripted-model';
import { recordRunningProfile } from '@reins/service-kit';
import { startNats, type TestNats, tempDir } from '@reins/testing';
import { runProgram } from '../program.ts';

const SECRET = 'sk-canary-4711';

async function doctor(env: Record<string, string>, ...args: string[]) {
  let out = '';
  const exit = await runProgram([...args, 'doctor'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    out: (text) => {
      out += text;
    },
    err: () => {},
  });
  return { exit, out };
}

async function report(env: Record<string, string>) {
  const { exit, out } = await doctor(env, '--json');
  expect(out).not.toContain(SECRET);
  return {
    exit,
    ...(JSON.parse(out) as { checks: { name: string; status: string; message: string }[]; stages: object[] }),
  };
}

describe('a running installation', () => {
  let nats: TestNats;
  let bus: Bus;
  let running: readonly object[] = [];
  const gateway = createServer(({ url }, response) => {
    response.end(JSON.stringify({ requests: url?.includes('status=running') ? running : [] }));
  }).listen(0, '127.0.0.1');
  let stateDir: string;

  beforeAll(async () => {
    nats = await startNats();
    bus = await connectBus({ servers: nats.url, name: 'test' });
    stateDir = await tempDir('state');
    await mkdir(join(stateDir, 'run'));
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const addresses = { url, natsUrl: nats.url, databaseUrl: 'postgres://localhost:1/none' };
    await writeFile(join(stateDir, 'run/gateway.json'), JSON.stringify(addresses));
  });
  afterAll(async () => {
    gateway.close();
    await bus.close();
    await nats.stop();
  });

  test('that was never started on this NATS server is not one', async () => {
    expect(await report({ REINS_STATE_DIR: stateDir, REINS_RUNTIME_PROFILE_DEFAULT: 'echo' })).toMatchObject({
      exit: 1,
      checks: expect.arrayContaining([expect.objectContaining({ name: 'nats', status: 'failed' })]),
      profile_source: 'settings',
    });
  });

  test('reports its own profile, from every folder', async () => {
    await provision(bus, { partitions: 2, replicas: 1, runtimeIds: ['echo'], managed: 'self' });
    await recordRunningProfile(bus, { default: 'openai_chat', stages: { execute: 'echo' } });
    const offers = await openBucket<HarnessOffer>(bus, 'harnesses');
    const offer = { hostId: 'h1', version: '7', slots: 1 };
    await offers.put('h1.echo', { ...offer, runtimeId: 'echo', healthy: true, sandbox: 'landlock', network: 'doors' });
    await offers.put('h2.echo', { ...offer, hostId: 'h2', runtimeId: 'echo', healthy: true, sandbox: 'none' });
    await offers.put('h1.openai_chat', {
      ...offer,
      runtimeId: 'openai_chat',
      healthy: true,
      providers: [{ providerId: 'b', status: 'failed', reason: 'provider b refused its API key', hint: 'Set it.' }],
    });
    // The settings of the command's own folder and environment name another profile.
    const elsewhere = { REINS_STATE_DIR: stateDir, REINS_RUNTIME_PROFILE_DEFAULT: 'pi' };
    const { exit, checks, stages, ...rest } = await report(elsewhere);
    expect(rest).toEqual({ profile_source: 'installation' });
    expect(stages).toContainEqual({
      stage: 'execute',
      runtime_id: 'echo',
      runtime_source: 'stage',
      healthy: true,
      version: '7',
    });
    expect(stages).toContainEqual(expect.objectContaining({ stage: 'reflect', runtime_id: 'openai_chat' }));
    expect(
      checks.filter(({ name }) => name === 'executor sandbox').map(({ status, message }) => [status, message]),
    ).toEqual([
      ['ok', expect.stringContaining('landlock confines executors on h1; their network mode is doors')],
      [
        'warning',
        expect.stringMatching(/^executors on h2 are not confined: the host has no sandbox; .* such as files with keys/),
      ],
    ]);
    expect(checks).toContainEqual({
      name: 'providers.b',
      status: 'failed',
      message: 'provider b refused its API key',
      hint: 'Set it.',
    });
    expect([exit, checks.find(({ name }) => name === 'runtimes')?.status]).toEqual([1, 'ok']);
    expect((await doctor(elsewhere)).out).toContain('Profile of the running installation:');
  });

  test('names the running requests whose model call has no response', async () => {
    const calls = async () => {
      const { checks } = await report({ REINS_STATE_DIR: stateDir });
      return checks.filter(({ name }) => name === 'model calls');
    };
    expect(await calls()).toMatchObject([{ status: 'ok' }]);
    const progress = 'waits for a model call to p/m, no response for 10 s; the attempt ends at 10:00:00 UTC';
    running = [
      { requestId: 'r1', status: 'running', progress: 'starting MCP servers clock' },
      { requestId: 'r2', status: 'running', progress },
    ];
    expect(await calls()).toMatchObject([{ status: 'warning', message: `r2 ${progress}` }]);
  });
});

describe('an installation that does not run', () => {
  const NOWHERE = { REINS_STATE_DIR: '/nonexistent', REINS_NATS_URL: 'nats://127.0.0.1:1' };

  test('has the table of its settings, with the runtimes and models of this machine', async () => {
    const { exit, stages } = await report({
      ...NOWHERE,
      REINS_RUNTIME_PROFILE_DEFAULT: 'openai_chat',
      REINS_RUNTIME_PROFILE_STAGES: '{"execute":"pi","reflect":"echo"}',
    });
    expect(exit).toBe(1);
    const healthy = { healthy: true, version: expect.stringMatching(/\d/) };
    expect(stages).toMatchObject([
      { stage: 'interview', runtime_id: 'openai_chat', runtime_source: 'default', ...healthy },
      { stage: 'execute', runtime_id: 'pi', runtime_source: 'stage', ...healthy },
      { stage: 'evaluate', runtime_id: 'openai_chat', ...healthy },
      { stage: 'reflect', runtime_id: 'echo', ...healthy },
    ]);
  });

  test('has the problems that the start is refused for', async () => {
    const { checks, stages } = await report({
      ...NOWHERE,
      REINS_HOST_RUNTIMES: 'echo,cursor',
      REINS_RUNTIME_PROFILE_DEFAULT: 'echo',
      REINS_RUNTIME_PROFILE_STAGES: '{"execute":"cursor"}',
    });
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'settings', message: 'host.runtimes: unknown runtime "cursor"' }),
    );
    expect(stages).toContainEqual(
      expect.objectContaining({ stage: 'execute', runtime_id: 'cursor', healthy: false, reason: 'unknown runtime' }),
    );
    expect(await report({ ...NOWHERE, REINS_NATS_PARTITIONS: '0' })).toMatchObject({
      exit: 1,
      checks: [{ name: 'settings', status: 'failed' }, { name: 'gateway' }],
      stages: [],
    });
  });

  test('has a check for each provider, with the setting to change and without the key', async () => {
    const model = await startScriptedModel();
    const provider = (more: object) => ({ api: 'openai-completions', baseUrl: `${model.url}/s/text/v1`, ...more });
    const { checks } = await report({
      ...NOWHERE,
      A_KEY: SECRET,
      REINS_RUNTIME_PROFILE_DEFAULT: 'openai_chat',
      REINS_PROVIDERS: JSON.stringify({
        a: provider({ apiKeyEnv: 'A_KEY' }),
        b: provider({ apiKeyEnv: 'B_KEY' }),
        c: provider({ apiKey: 'bad-key' }),
        d: provider({ apiKey: SECRET, baseUrl: 'http://127.0.0.1:1/v1' }),
      }),
    });
    await model.close();
    expect(checks.filter(({ name }) => name.startsWith('providers.'))).toEqual([
      { name: 'providers.a', status: 'ok', message: 'reachable; its model list is available' },
      expect.objectContaining({ name: 'providers.b', status: 'failed', hint: expect.stringContaining('B_KEY') }),
      expect.objectContaining({
        name: 'providers.c',
        status: 'failed',
        hint: 'Set a valid key in providers.c.api_key.',
      }),
      expect.objectContaining({ name: 'providers.d', message: expect.stringContaining('cannot be reached') }),
    ]);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'runtimes', status: 'ok' }));
  });

  test('says after two seconds what it waits for', async () => {
    const waiting: ServerResponse[] = [];
    const provider = createServer((_, response) => void waiting.push(response));
    await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve));
    const notes: string[] = [];
    const exit = await runProgram(['doctor'], {
      env: {
        PATH: process.env.PATH ?? '',
        ...NOWHERE,
        REINS_RUNTIME_PROFILE_DEFAULT: 'openai_chat',
        REINS_PROVIDERS: JSON.stringify({
          slow: {
            api: 'openai-completions',
            baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
            apiKey: 'k',
          },
        }),
      },
      out: () => {},
      err: (text) => {
        notes.push(text);
        for (const response of waiting) response.end('{"data":[]}');
      },
    });
    provider.close();
    provider.closeAllConnections();
    expect(exit).toBe(1);
    expect(notes.join('')).toMatch(/^waiting for the system, the runtimes and the providers \(\d.*\)$/m);
  });
});
