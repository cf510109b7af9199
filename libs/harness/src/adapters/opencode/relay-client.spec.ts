import { expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { RelayClient } from './relay-client.ts';

function connected() {
  const sent: JsonObject[] = [];
  const reports: unknown[] = [];
  const client = new RelayClient((message) => sent.push(message), {
    event: (...event) => reports.push(event),
    responded: (...response) => reports.push(response),
    failed: (callId) => reports.push(callId),
    asked: (question) => reports.push(question),
  });
  return { client, sent, reports };
}

test('answers belong to requests by their id', async () => {
  const { client, sent } = connected();
  const [first, second] = [client.request('GET', '/session/a'), client.require('POST', '/session', { title: 't' })];
  expect(sent).toEqual([
    { id: 1, method: 'GET', path: '/session/a' },
    { id: 2, method: 'POST', path: '/session', body: { title: 't' } },
  ]);
  expect(client.line('{"id":2,"status":200,"body":{"id":"ses_1"}}')).toBe(true);
  expect(client.line('{"id":1,"status":404,"body":null}')).toBe(true);
  expect([await first, await second]).toEqual([{ status: 404, body: {} }, { id: 'ses_1' }]);
});

test('a request that OpenCode refuses is an error', async () => {
  const { client } = connected();
  const required = client.require('POST', '/session');
  client.line('{"id":1,"status":400,"body":{"message":"no title"}}');
  await expect(required).rejects.toMatchObject({
    code: 'harness_protocol_invalid',
    message: 'OpenCode refused POST /session (400): no title',
  });
});

test('reports reach the listener in order, and other lines are not of the protocol', async () => {
  const { client, reports } = connected();
  client.line('{"ready":true}');
  await client.ready;
  client.line('{"event":{"type":"session.idle","properties":{"sessionID":"s"}}}');
  client.line('{"response":{"status":500,"body":"no"}}');
  client.line('{"failed":"call_1"}');
  client.line('{"question":"Which colour?"}');
  expect(reports).toEqual([['session.idle', { sessionID: 's' }], [500, 'no'], 'call_1', 'Which colour?']);
  for (const line of ['Welcome!', '[]', '{}', '{"other":1}']) expect(client.line(line)).toBe(false);
});
