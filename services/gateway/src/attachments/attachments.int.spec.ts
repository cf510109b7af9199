import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start((settings) => {
    settings.gateway.maxAttachmentBytes = 1_000;
  });
});
afterAll(() => api.stop());

async function upload(query: string, content: string | Uint8Array<ArrayBuffer>, type = 'application/octet-stream') {
  const init = { method: 'POST', headers: { 'content-type': type }, body: content };
  const response = await api.fetch(`/api/v1/attachments?${query}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a request accepts the response of an upload as an attachment', async () => {
  const { status, body } = await upload('name=report.pdf', '%PDF-1.4');
  expect(status).toBe(201);
  expect(body).toEqual({
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    size: 8,
    mediaType: 'application/pdf',
    name: 'report.pdf',
  });
  expect(await (await api.fetch(`/api/v1/blobs/${body.sha256}`)).text()).toBe('%PDF-1.4');
  const accepted = await api.submit({ attachments: [body] });
  expect(accepted.status).toBe(202);
  const command = (await api.commands()).find(({ requestId }) => requestId === accepted.body.requestId);
  expect(command).toMatchObject({ attachments: [body] });
});

test('uses the given media type, or derives it from the file name', async () => {
  expect((await upload('name=x.pdf&mediaType=text/plain', 'x')).body.mediaType).toBe('text/plain');
  expect((await upload('name=Photo.JPG', 'x')).body.mediaType).toBe('image/jpeg');
  expect((await upload('name=constructor', 'x')).body.mediaType).toBe('application/octet-stream');
});

test('refuses an invalid attachment with its code and path', async () => {
  const problemOf = async (query: string, content: string | Uint8Array<ArrayBuffer>, type?: string) => {
    const { status, body } = await upload(query, content, type);
    return [status, body.code, body.path];
  };
  expect(await problemOf('name=a.txt', new Uint8Array(1_001))).toEqual([413, 'payload_too_large', 'body']);
  expect(await problemOf('name=a.txt', '')).toEqual([400, 'attachment_invalid', 'body']);
  expect(await problemOf('name=a.txt', '{}', 'application/json')).toEqual([415, 'media_type_unsupported', undefined]);
  expect(await problemOf('name=..%2Fa.txt', 'x')).toEqual([400, 'request_invalid', 'name']);
  expect(await problemOf('', 'x')).toEqual([400, 'request_invalid', 'name']);
  expect(await problemOf('name=a&mediaType=nonsense', 'x')).toEqual([400, 'request_invalid', 'mediaType']);
  const missing = await api.submit({ attachments: [{ sha256: '0'.repeat(64), size: 1 }] });
  expect([missing.status, missing.body.code, missing.body.path]).toEqual([
    400,
    'attachment_invalid',
    'attachments[0].sha256',
  ]);
  const named = await api.submit({ attachments: [{ sha256: '0'.repeat(64), size: 1, name: 'a/b' }] });
  expect(named.body).toMatchObject({ code: 'request_invalid', path: 'attachments[0].name' });
});
