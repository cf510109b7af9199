import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { problemsOfEvent } from '@reins/contracts';
import fc from 'fast-check';
import { TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
let revision: string;
beforeAll(async () => {
  api = await TestGateway.start();
  revision = String((await api.submit()).body.revision);
});
afterAll(() => api.stop());

/** Checks that a response is a success or a problem document with a 4xx status. */
async function expectValidResponse(response: Response): Promise<void> {
  const text = await response.text();
  if (response.status < 400) return;
  expect(response.status).toBeLessThan(500);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  const { code, errors } = JSON.parse(text);
  expect(typeof code).toBe('string');
  expect(errors.length).toBeGreaterThan(0);
}

const post = (path: string, body: string): Promise<Response> =>
  api.fetch(`/api/v1${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

const RUNS = { numRuns: 150 };

test('any body of a request', async () => {
  const field = fc.constantFrom(
    'workspace',
    'input',
    'attachments',
    'agentId',
    'sessionId',
    'model',
    'stages',
    'metadata',
    'other',
  );
  const valid = { workspace: { id: 'quickstart', revision }, input: 'x' };
  const changed = fc.dictionary(field, fc.jsonValue()).map((more) => ({ ...valid, ...more }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), changed), async (body) =>
      expectValidResponse(await post('/requests', JSON.stringify(body))),
    ),
    RUNS,
  );
});

test('every accepted body became a valid command', async () => {
  const commands = await api.commands();
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.flatMap((command) => problemsOfEvent(command))).toEqual([]);
});

test('any body of a workspace', async () => {
  const file = fc.record({
    path: fc.string(),
    content: fc.string({ unit: 'binary' }),
    encoding: fc.constantFrom('utf8', 'base64'),
    mode: fc.constantFrom('644', '755', 'link'),
  });
  const files = fc.oneof(fc.array(file, { maxLength: 4 }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(files, async (given) =>
      expectValidResponse(await post('/workspaces', JSON.stringify({ workspaceId: 'w', files: given }))),
    ),
    RUNS,
  );
});

test('any path, query and header', async () => {
  const segment = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('..', '%00', '%2e%2e', 'events', 'tree', 'a'.repeat(99)),
  );
  const query = fc.dictionary(
    fc.constantFrom('after', 'limit', 'include', 'stage', 'run', 'status', 'cursor', 'path'),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(
      segment,
      fc.constantFrom('', '/events', '/tree', '/changes', '/cancel'),
      query,
      async (id, tail, given) => {
        const encoded = id.startsWith('%') ? id : encodeURIComponent(id.toWellFormed());
        const path = `/api/v1/requests/${encoded}${tail}?${new URLSearchParams(given)}`;
        await expectValidResponse(
          await api.fetch(path, { headers: { 'last-event-id': '1e9', 'idempotency-key': 'k' } }),
        );
      },
    ),
    RUNS,
  );
});

test('text that is not JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), async (text) => expectValidResponse(await post('/requests', text))),
    RUNS,
  );
});

test('deeply nested JSON', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const body of [
    deep,
    `{"workspace":{"id":"quickstart"},"input":${deep}}`,
    `{"workspace":${deep},"input":1}`,
    `{"workspaceId":"w","files":[${deep}]}`,
  ]) {
    await expectValidResponse(await post(body.includes('workspaceId') ? '/workspaces' : '/requests', body));
  }
});

test('any body of a chat completion has an error in the form of OpenAI', async () => {
  const field = fc.constantFrom(
    'messages',
    'stream',
    'metadata',
    'tools',
    'response_format',
    'stream_options',
    'other',
  );
  const valid = { model: 'no/agent', messages: [{ role: 'user', content: 'x' }] };
  const changed = fc.dictionary(field, fc.jsonValue()).map((more) => ({ ...valid, ...more }));
  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.oneof(fc.jsonValue(), changed).map((body) => JSON.stringify(body)),
  );
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      const headers = { 'content-type': 'application/json' };
      const response = await api.fetch('/v1/chat/completions', { method: 'POST', headers, body });
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      expect([400, 404]).toContain(response.status);
      expect([typeof error.message, typeof error.code, error.type]).toEqual([
        'string',
        'string',
        'invalid_request_error',
      ]);
    }),
    RUNS,
  );
});
