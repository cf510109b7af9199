import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ModelDoor } from '../doors/model/model-door.ts';
import { type UsesBucket, UsesWriters } from '../doors/model/uses-writer.ts';
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

/** An attempt at a stage on a host of its own. @param usedTokens what the journal of the run knows */
function attempt(uses: UsesBucket, usedTokens: number) {
  const budget = { maxTokens: 1000, usedTokens, usedCostUsd: 0 };
  const calls = new ModelCalls({
    door,
    event: { runtimeId: 'pi', workspaceId: 'ws1', requestId: 'r1', budget },
    uses: new UsesWriters(uses),
    trace: { modelCall() {} },
    measure() {},
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
