import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { piAdapter } from '@reins/harness';
import { drive } from '@reins/harness/conformance';
import { DEFAULT_SETTINGS, HostFixture, type HostSettings } from '../../src/testing/host-fixture.ts';
import { median, rounded } from './measure.ts';

const ROUNDS = 3;
const ANSWER = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Done.' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 1 } },
];
const STREAM = [...ANSWER.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');

/** A provider that notes when the first call of a run arrives. */
async function startProvider() {
  let arrived: (at: number) => void = () => undefined;
  const server = createServer(async (request: IncomingMessage, response) => {
    // A host also asks for the list of models.
    if (request.method !== 'POST') return void response.writeHead(404).end();
    arrived(performance.now());
    for await (const _ of request);
    response.setHeader('content-type', 'text/event-stream').end(STREAM);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const nextCall = () =>
    new Promise<number>((resolve) => {
      arrived = resolve;
    });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, nextCall, server };
}

type Provider = Awaited<ReturnType<typeof startProvider>>;

/** From the start of the adapter, without a host, to the first call of the model. */
async function direct({ baseUrl, nextCall }: Provider): Promise<number[]> {
  const root = await mkdtemp(join(tmpdir(), 'reins-bench-'));
  const subject = {
    adapter: piAdapter,
    endpoint: () => ({ api: 'openai-completions', baseUrl, apiKey: 'sk-provider' }) as const,
    instruction: (_scenario: string, text: string) => text,
    folder: () => mkdtemp(join(root, 'run-')),
  };
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const [call, from] = [nextCall(), performance.now()];
    const driven = await drive(subject, 'text', 'Say that you are done.');
    times.push((await call) - from);
    await driven.result();
  }
  await rm(root, { recursive: true });
  return times;
}

/** From the request of a stage to the first call of the model. */
async function onHost({ baseUrl, nextCall }: Provider, host: Partial<HostSettings['host']>): Promise<number[]> {
  const fixture = await HostFixture.start();
  try {
    const api = 'openai-completions' as const;
    await fixture.host({
      providers: { local: { api, baseUrl, apiKey: 'sk-provider' } },
      host: { ...DEFAULT_SETTINGS.host, runtimes: ['pi'], ...host },
    });
    const times: number[] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      const [call, from] = [nextCall(), performance.now()];
      const { effectId } = await fixture.request({
        runtimeId: 'pi',
        instruction: 'Say that you are done.',
        request: {
          provider_id: 'local',
          model_id: 'm',
          model_client: {
            model_proxy_provider: 'openai_compatible',
            api_key: '{setting:providers.local.apiKey}',
            base_url: baseUrl,
            default_headers: null,
          },
        },
      });
      times.push((await call) - from);
      const { type } = await fixture.finalEvent(effectId);
      if (type !== 'runtime.stage.completed') throw new Error(`a stage ended with ${type}`);
    }
    return times;
  } finally {
    await fixture.stop();
  }
}

/** How long pi takes to call its model: without a host, and on hosts with and without warm executors and a sandbox. */
export async function starts(): Promise<Record<string, number>> {
  const provider = await startProvider();
  const off = { sandbox: 'off', network: 'open' } as const;
  const doors = { sandbox: 'required', network: 'doors' } as const;
  const directMs = median(await direct(provider));
  const results: Record<string, number> = { directMs: rounded(directMs, 0) };
  const ways = { withoutSandbox: off, sandboxed: { ...doors, network: 'open' }, sandboxedWithDoors: doors } as const;
  for (const [name, host] of Object.entries(ways))
    for (const warm of [0, 1]) {
      const ms = median(await onHost(provider, { ...host, warm }));
      const row = `${name}${warm === 0 ? 'Cold' : 'Warm'}`;
      results[`${row}Ms`] = rounded(ms, 0);
      results[`${row}Ratio`] = rounded(ms / directMs);
    }
  provider.server.close();
  return results;
}
