import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelEndpoint } from '@reins/harness';
import { usesInMemory } from '../../testing/uses-in-memory.ts';
import { ModelDoor, type ModelGrant } from './model-door.ts';
import { SharedBudget } from './shared-budget.ts';
import type { EndedCall } from './usage/metered-call.ts';
import { UsesWriters } from './uses-writer.ts';

const KEY = 'sk-canary-4711';

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A provider that records its calls. `respond` decides what it sends. */
const seen: Seen[] = [];
let respond: (request: IncomingMessage, response: import('node:http').ServerResponse) => void;
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    seen.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
    respond(request, response);
  });
});
let origin: string;
let door: ModelDoor;
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  door = await ModelDoor.start();
});
afterEach(() => void seen.splice(0));
afterAll(async () => {
  await door.close();
  provider.closeAllConnections();
  provider.close();
});

const open = (endpoint: Partial<ModelEndpoint> = {}, grant: Partial<ModelGrant> = {}) =>
  door.open({
    endpoint: { api: 'openai-completions', baseUrl: `${origin}/v1`, apiKey: KEY, ...endpoint },
    named: { provider: 'p', model: 'm-1' },
    ...grant,
  });

const call = (url: string, headers: Record<string, string>, body: object = { model: 'm-1' }) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code;

describe('the model door', () => {
  test('replaces the run token by the key, in the header that the client uses', async () => {
    respond = (_, response) => void response.end('{}');
    const headers = { 'x-org': 'configured' };
    const cases = [
      ['openai-completions', '/chat/completions', 'authorization', 'Bearer '],
      ['openai-responses', '/responses', 'authorization', 'Bearer '],
      ['anthropic-messages', '/v1/messages', 'x-api-key', ''],
      ['google-generative-ai', '/models/m-1:generateContent', 'x-goog-api-key', ''],
    ] as const;
    for (const [api, path, name, scheme] of cases) {
      const { endpoint } = open({ api, headers });
      expect(JSON.stringify(endpoint)).not.toContain(KEY);
      expect(endpoint.headers).toBeUndefined();
      const response = await call(`${endpoint.baseUrl}${path}?alt=sse`, { [name]: `${scheme}${endpoint.apiKey}` });
      expect(response.status).toBe(200);
      expect(seen.at(-1)).toMatchObject({ url: `/v1${path}?alt=sse`, body: '{"model":"m-1"}' });
      expect(seen.at(-1)?.headers).toMatchObject({ [name]: `${scheme}${KEY}`, 'x-org': 'configured' });
      expect(JSON.stringify(seen.at(-1))).not.toContain(endpoint.apiKey);
    }
  });

  test('accepts the token as ?key= and does not forward it', async () => {
    respond = (_, response) => void response.end('{}');
    const { endpoint } = open({ api: 'google-generative-ai' });
    await call(`${endpoint.baseUrl}/models/m-1:generateContent?key=${endpoint.apiKey}`, {});
    expect(seen).toMatchObject([{ url: '/v1/models/m-1:generateContent', headers: { 'x-goog-api-key': KEY } }]);
  });

  test('forwards only the headers and parameters of clients', async () => {
    respond = (_, response) => void response.end('{}');
    const { endpoint } = open();
    await call(`${endpoint.baseUrl}/chat/completions?alt=sse&project=other`, {
      authorization: `Bearer ${endpoint.apiKey}`,
      'content-type': 'application/json; charset=utf-7',
      'openai-project': 'other',
      'x-http-method-override': 'DELETE',
      'x-stainless-lang': 'js',
    });
    expect(seen).toMatchObject([{ url: '/v1/chat/completions?alt=sse' }]);
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-stainless-lang': 'js' });
    expect(Object.keys(seen[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/project|override/)]),
    );
  });

  test('sends no key to a provider without one', async () => {
    respond = (_, response) => void response.end('{}');
    const { endpoint } = open({ apiKey: '' });
    await call(`${endpoint.baseUrl}/chat/completions`, { authorization: `Bearer ${endpoint.apiKey}` });
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  test('passes the bytes of a response unchanged, as they come', async () => {
    const more = Promise.withResolvers<void>();
    respond = async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'r-1' });
      response.write('data: {"a":\u20ac}\r\n');
      await more.promise;
      response.end('\r\ndata: [DONE]');
    };
    const { endpoint } = open();
    const response = await call(`${endpoint.baseUrl}/chat/completions`, { authorization: `Bearer ${endpoint.apiKey}` });
    expect(response.headers.get('x-request-id')).toBe('r-1');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value as Uint8Array).toString()).toBe('data: {"a":\u20ac}\r\n');
    more.resolve();
    expect(Buffer.from((await reader.read()).value as Uint8Array).toString()).toBe('\r\ndata: [DONE]');
  });

  test('passes compressed responses and errors of the provider', async () => {
    respond = (_, response) => {
      response.writeHead(429, { 'content-encoding': 'gzip', 'retry-after': '7', 'set-cookie': 'a=b' });
      response.end(gzipSync('{"error":{"message":"slow down"}}'));
    };
    const { endpoint } = open();
    const response = await call(`${endpoint.baseUrl}/chat/completions`, { authorization: `Bearer ${endpoint.apiKey}` });
    expect([response.status, response.headers.get('retry-after'), response.headers.get('set-cookie')]).toEqual([
      429,
      '7',
      null,
    ]);
    expect(await response.json()).toEqual({ error: { message: 'slow down' } });
  });

  test('refuses what the run may not call, before anything reaches the provider', async () => {
    const { endpoint } = open();
    const authorization = `Bearer ${endpoint.apiKey}`;
    const base = endpoint.baseUrl;
    const doorOrigin = new URL(base).origin;
    const refused = [
      [await call(`${base}/chat/completions`, {}), 401, 'run_token_invalid'],
      [await call(`${base}/chat/completions`, { authorization: `Bearer ${KEY}` }), 401, 'run_token_invalid'],
      [await call(`${base}/embeddings`, { authorization }), 404, 'model_call_unknown'],
      [await call(`${doorOrigin}/v1/chat/completions`, { authorization }), 404, 'model_call_unknown'],
      [await call(`${doorOrigin}/other.test/v1/chat/completions`, { authorization }), 404, 'model_call_unknown'],
      [await call(`${base}/chat/completions`, { authorization }, { model: 'm-2' }), 403, 'model_not_allowed'],
      [await call(`${base}/chat/completions`, { authorization }, []), 400, 'model_call_invalid'],
    ] as const;
    for (const [response, status, code] of refused) {
      expect(response.status).toBe(status);
      expect(await codeOf(response)).toBe(code);
    }
    expect(seen).toEqual([]);
  });

  test('forwards what it has checked: of two fields with the same name, only the last one', async () => {
    respond = (_, response) => void response.end('{}');
    const { endpoint } = open();
    const response = await fetch(`${endpoint.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${endpoint.apiKey}` },
      body: '{"model":"m-2","model":"m-1"}',
    });
    expect(response.status).toBe(200);
    expect(seen).toMatchObject([{ body: '{"model":"m-1"}' }]);
  });

  test('checks large calls next to others, and limits the bytes of a run', async () => {
    respond = (_, response) => void response.end('{}');
    const { endpoint } = open();
    const headers = { authorization: `Bearer ${endpoint.apiKey}` };
    const url = `${endpoint.baseUrl}/chat/completions`;
    const messages = [{ role: 'user', content: 'x'.repeat(2_000_000) }];
    const [large, small, hosted] = await Promise.all([
      call(url, headers, { model: 'm-1', messages }),
      call(url, headers),
      call(url, headers, { model: 'm-1', messages, tools: [{ type: 'web_search' }] }),
    ]);
    expect([large.status, small.status, hosted.status]).toEqual([200, 200, 403]);
    expect(seen.map(({ body }) => body.length).sort((a, b) => a - b)).toEqual([15, 2_000_057]);
    const tooLarge = [{ role: 'user', content: 'x'.repeat(65 * 1024 * 1024) }];
    const refused = await call(url, headers, { model: 'm-1', messages: tooLarge }).catch(() => undefined);
    // The door closes the connection, which the client may see before the response.
    expect([undefined, 413]).toContain(refused?.status);
    expect((await call(url, headers)).status).toBe(200);
  });

  test('ends running calls and refuses the token when the run is over', async () => {
    const arrived = Promise.withResolvers<void>();
    const dropped = Promise.withResolvers<void>();
    respond = (request, response) => {
      response.writeHead(200).write('a');
      request.socket.once('close', () => dropped.resolve());
      arrived.resolve();
    };
    const { endpoint, close } = open();
    const headers = { authorization: `Bearer ${endpoint.apiKey}` };
    const response = await call(`${endpoint.baseUrl}/chat/completions`, headers);
    await arrived.promise;
    close();
    await expect(response.text()).rejects.toThrow();
    await dropped.promise;
    expect((await call(`${endpoint.baseUrl}/chat/completions`, headers)).status).toBe(401);
  });

  test('reports a provider that cannot be reached, and does not follow its redirects', async () => {
    const { endpoint } = open({ baseUrl: 'http://127.0.0.1:1/v1' });
    const gone = await call(`${endpoint.baseUrl}/chat/completions`, { authorization: `Bearer ${endpoint.apiKey}` });
    expect([gone.status, await codeOf(gone)]).toEqual([502, 'model_unavailable']);
    respond = (_, response) => void response.writeHead(307, { location: 'http://other.test/' }).end();
    const moved = open().endpoint;
    const response = await fetch(`${moved.baseUrl}/chat/completions`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `Bearer ${moved.apiKey}` },
      body: '{"model":"m-1"}',
    });
    expect(response.status).toBe(307);
    expect(seen).toHaveLength(1);
  });

  test('keeps the host name of the provider in the address', () => {
    const { endpoint, close } = open({ baseUrl: 'https://user:secret@api.openai.com/v1/?a=secret' });
    expect(endpoint.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\.openai\.com\/v1$/);
    close();
  });

  test('rejects the login of a vendor as a key', () => {
    expect(() => open({ apiKey: 'sk-ant-oat01-x' })).toThrow(
      expect.objectContaining({ code: 'credentials_unsupported' }),
    );
  });

  test('rejects an endpoint without an address', () => {
    for (const baseUrl of ['nonsense', 'file:///etc/passwd'])
      expect(() => open({ baseUrl })).toThrow(expect.objectContaining({ code: 'model_provider_unconfigured' }));
  });

  test('measures its calls, and asks for the usage of streams', async () => {
    const usage = '{"choices":[],"usage":{"prompt_tokens":50,"completion_tokens":5}}';
    const delta = '{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}';
    const answer = `data: ${delta}\n\ndata: ${usage}\n\ndata: [DONE]\n\n`;
    respond = (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer);
    const calls: EndedCall[] = [];
    const { endpoint, end } = open(
      {},
      { model: { prices: { input: 2, output: 10 } }, onCall: (each) => calls.push(each) },
    );
    const url = `${endpoint.baseUrl}/chat/completions`;
    const headers = { authorization: `Bearer ${endpoint.apiKey}` };
    const response = await call(url, headers, { model: 'm-1', stream: true });
    expect(await response.text()).toBe(answer);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      model: 'm-1',
      stream: true,
      stream_options: { include_usage: true },
    });
    respond = (_, failed) => void failed.writeHead(500).end('{}');
    await call(url, headers);
    expect(await end()).toMatchObject({
      provider: 'p',
      model: 'm-1',
      inputTokens: 50,
      outputTokens: 5,
      costUsd: 150 / 1e6,
      source: 'reported',
    });
    expect(calls).toMatchObject([
      { operation: 'chat', call: { usage: 'reported', status: 200, firstTokenMs: expect.any(Number) } },
      { error: '500', call: { usage: 'unknown', status: 500 } },
    ]);
    expect((await call(url, headers)).status).toBe(401);
  });

  test('estimates a stream that the end of the run cuts', async () => {
    respond = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write('data: {"choices":[{"delta":{"content":"A text of a few tokens."}}]}\n\n');
    const calls: EndedCall[] = [];
    const { endpoint, end } = open({}, { onCall: (each) => calls.push(each) });
    const response = await call(`${endpoint.baseUrl}/chat/completions`, {
      authorization: `Bearer ${endpoint.apiKey}`,
    });
    await response.body?.getReader().read();
    const usage = await end();
    expect(usage).toMatchObject({ source: 'estimated', outputTokens: 7 });
    expect(usage).not.toHaveProperty('costUsd');
    expect(calls).toMatchObject([{ error: 'model_answer_cut', call: { usage: 'estimated' } }]);
  });

  test('an unreachable provider uses nothing', async () => {
    const { endpoint, end } = open({ baseUrl: 'http://127.0.0.1:1/v1' });
    await call(`${endpoint.baseUrl}/chat/completions`, { authorization: `Bearer ${endpoint.apiKey}` });
    expect(await end()).toBeUndefined();
  });

  test('refuses a call that does not fit into the budget, before anything reaches the provider', async () => {
    respond = (_, response) =>
      void response.end('{"choices":[{"message":{}}],"usage":{"prompt_tokens":90,"completion_tokens":10}}');
    const owner = { workspaceId: 'ws1', requestId: 'r1' };
    const limits = { maxTokens: 1000, usedTokens: 700, usedCostUsd: 0 };
    const budget = new SharedBudget(new UsesWriters(usesInMemory()), owner, limits, {});
    const access = open({}, { budget });
    const ask = (max_tokens: number) =>
      call(
        `${access.endpoint.baseUrl}/chat/completions`,
        { authorization: `Bearer ${access.endpoint.apiKey}` },
        { model: 'm-1', max_tokens },
      );
    expect((await ask(200)).status).toBe(200);
    expect(access.overBudget).toBeUndefined();
    const refused = await ask(200);
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'budget_exceeded']);
    expect(seen).toHaveLength(1);
    expect(access.overBudget).toMatchObject({ code: 'budget_exceeded', path: 'budgets.max_tokens' });
    expect((await ask(100)).status).toBe(200);
  });

  test('limits the calls to a provider, and holds them back after a 429', async () => {
    const limited = await ModelDoor.start((provider) => (provider === 'p' ? { maxCalls: 1, maxWaitingCalls: 0 } : {}));
    const openLimited = (provider: string) =>
      limited.open({
        endpoint: { api: 'openai-completions', baseUrl: `${origin}/v1`, apiKey: KEY },
        named: { provider, model: 'm-1' },
      });
    const ask = ({ endpoint }: { readonly endpoint: ModelEndpoint }) =>
      call(`${endpoint.baseUrl}/chat/completions`, { authorization: `Bearer ${endpoint.apiKey}` });
    const arrived = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    respond = async (_, response) => {
      arrived.resolve();
      await done.promise;
      response.end('{}');
    };
    const first = ask(openLimited('p'));
    await arrived.promise;
    const second = await ask(openLimited('p'));
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    expect(seen).toHaveLength(1);
    done.resolve();
    expect((await first).status).toBe(200);

    respond = (_, response) => void response.writeHead(429, { 'retry-after': '3600' }).end('{}');
    const run = openLimited('other');
    expect((await ask(run)).status).toBe(429);
    const held = await ask(run);
    expect([held.status, await codeOf(held)]).toEqual([429, 'too_many_model_calls']);
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(seen).toHaveLength(2);
    expect((await ask(openLimited('free'))).status).toBe(429);
    expect(seen).toHaveLength(3);
    await limited.close();
  });

  test('a call that never completes does not keep its run open', async () => {
    const { endpoint, end } = open();
    const { hostname, port, pathname } = new URL(`${endpoint.baseUrl}/chat/completions`);
    const socket = connect(Number(port), hostname);
    const headers = `host: x\r\nauthorization: Bearer ${endpoint.apiKey}\r\ncontent-length: 100\r\n`;
    socket.write(`POST ${pathname} HTTP/1.1\r\n${headers}\r\n{"model"`);
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    // The door has read the call when it answers the next one.
    await call(`${endpoint.baseUrl}/files`, { authorization: `Bearer ${endpoint.apiKey}` });
    expect(await end()).toBeUndefined();
    await closed;
  });

  test('refuses a body that is nested too deeply or has too many values, instead of failing on it', async () => {
    const { endpoint } = open();
    const send = (messages: string) =>
      fetch(`${endpoint.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${endpoint.apiKey}` },
        body: `{"model":"m-1","messages":${messages}}`,
      });
    const deep = await send('['.repeat(20_000) + ']'.repeat(20_000));
    expect([deep.status, await codeOf(deep)]).toEqual([400, 'model_call_invalid']);
    const many = await send(`[${'{},'.repeat(1_000_000)}{}]`);
    expect([many.status, await codeOf(many)]).toEqual([413, 'model_call_too_large']);
    expect(seen).toEqual([]);
  });
});
