import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ModelDoor } from '../doors/model/model-door.ts';
import { type UsesBucket, UsesWriters } from '../doors/model/uses-writer.ts';
import type { AdapterEventPublisher } from '../signals/signal-publisher.ts';
import { usesInMemory } from '../testing/uses-in-memory.ts';
import { ModelCalls } from './model-calls.ts';

/** A provider whose calls use 100 tokens. */
const provider = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end('{"choices":[],"usage":{"prompt_tokens":90,"completion_tokens":10}}'));
});
let door: ModelDoor;
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  door = await ModelDoor.start();
});
afterAll(async () => {
  await door.close();
  provider.closeAllConnections();
  provider.close();
});

test('a provider that does not respond is reported until it responds or the call ends', async () => {
  const received = Promise.withResolvers<ServerResponse>();
  const silent = createServer((_, response) => received.resolve(response)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const labels: string[] = [];
  const { promise: reported, resolve } = Promise.withResolvers<void>();
  const calls = new ModelCalls({
    door,
    event: { runtimeId: 'pi', workspaceId: 'ws1', requestId: 'r1' },
    uses: new UsesWriters(usesInMemory()),
    trace: { modelCall() {} },
    measure() {},
    report: (label) => {
      labels.push(label);
      resolve();
    },
    silentAfterMs: 1,
  });
  const { port } = silent.address() as AddressInfo;
  const { apiKey, baseUrl } = calls.open({
    endpoint: { api: 'openai-completions', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-1' },
    named: { provider: 'p', model: 'm-1' },
  });
  const deadlines = { totalMs: 60_000, idleMs: 30_000, noProgressMs: 60_000 };
  calls.publishTo({ accept() {} } as unknown as AdapterEventPublisher, { deadlines, startedAt: Date.now() });
  const call = fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model: 'm-1' }),
  });
  await reported;
  (await received.promise).end('{}');
  expect((await call).status).toBe(200);
  await calls.end();
  silent.close();
  expect(labels[0]).toMatch(
    /^waits for a model call to p\/m-1, no response for \d+ s; the attempt ends at \d\d:\d\d:\d\d UTC$/,
  );
  expect(labels).toContainEqual(
    expect.stringMatching(/^continues: the model call to p\/m-1 has a response after \d+ s$/),
  );
});

/** An attempt at a stage on a host of its own. @param usedTokens what the journal of the run knows */
function attempt(uses: UsesBucket, usedTokens: number) {
  const budget = { maxTokens: 1000, usedTokens, usedCostUsd: 0 };
  const calls = new ModelCalls({
    door,
    event: { runtimeId: 'pi', workspaceId: 'ws1', requestId: 'r1', budget },
    uses: new UsesWriters(uses),
    trace: { modelCall() {} },
    measure() {},
    report() {},
  });
  const { port } = provider.address() as AddressInfo;
  const { apiKey, baseUrl } = calls.open({
    endpoint: { api: 'openai-completions', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-1' },
    named: { provider: 'p', model: 'm-1' },
  });
  const ask = async (maxTokens: number): Promise<number> => {
    const { status } = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ model: 'm-1', max_tokens: maxTokens }),
    });
    return status;
  };
  return { ask, end: () => calls.end() };
}

test('what an attempt used before its host died counts for the next one, once', async () => {
  const uses = usesInMemory();
  const first = attempt(uses, 300);
  expect([await first.ask(400), await first.ask(400)]).toEqual([200, 200]);
  await first.end();

  // The journal knows nothing of the attempt: its host never reported it. 1000 - 300 - 2 * 100 are left.
  const second = attempt(uses, 300);
  expect([await second.ask(500), await second.ask(300)]).toEqual([403, 200]);
  await second.end();

  // A host that reports its usage is not counted a second time: 1000 - 600 are left.
  const next = attempt(uses, 600);
  expect([await next.ask(400), await next.ask(300)]).toEqual([403, 200]);
});
