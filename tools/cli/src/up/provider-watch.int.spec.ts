import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { processSettings } from '@reins/service-kit/installation';
import { type Watched, watchProviders } from './provider-watch.ts';

const settingsWith = (providers: object) => processSettings({ REINS_PROVIDERS: JSON.stringify(providers) });
const provider = (port: number) => ({ api: 'openai-completions', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'k' });
const SOON = { unreachableMs: 50, silentMs: 50 };
const never = new AbortController().signal;

/** A server that passes its connections to `onConnection`. */
async function listening(
  onConnection: (socket: Socket) => unknown = (socket) => socket.destroy(),
): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}).resume());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

test('a start whose only provider refuses connections ends with the address, the cause and the setting', async () => {
  const { port, close } = await listening();
  await close();
  const notes: string[] = [];
  const watched = watchProviders(settingsWith({ local: provider(port) }), (line) => notes.push(line), never, SOON);
  await expect(watched).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining(`provider local could not be reached at http://127.0.0.1:${port} (ECONNREFUSED)`),
    path: 'providers.local.base_url',
    hint: expect.stringContaining('reins doctor'),
  });
  expect(notes[0]).toMatch(/\(ECONNREFUSED\); trying again \(\d.* of 0\.1 s\)$/);
});

test('a start whose only provider accepts connections without a response says so, and ends with the command', async () => {
  const { port, close } = await listening(() => {});
  const notes: string[] = [];
  try {
    const watched = watchProviders(settingsWith({ local: provider(port) }), (line) => notes.push(line), never, SOON);
    const text = `provider local at http://127.0.0.1:${port} accepts connections, but has not responded`;
    await expect(watched).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining(`${text} for `),
      path: 'providers.local.base_url',
      hint: expect.stringContaining('reins doctor'),
    });
    expect(notes[0]).toMatch(/has not responded; waiting \(\d.* of 0\.1 s\)$/);
  } finally {
    await close();
  }
});

test('the start continues when a silent provider responds', async () => {
  const waiting: Socket[] = [];
  const { port, close } = await listening((socket) => waiting.push(socket));
  const respond = (): void => {
    for (const socket of waiting) socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
  };
  try {
    await watchProviders(settingsWith({ local: provider(port) }), respond, never);
    expect(waiting).not.toHaveLength(0);
  } finally {
    await close();
  }
});

test('a name without an address is not tried for longer than a refused connection', async () => {
  const missing = { ...provider(1), baseUrl: 'http://missing.invalid/v1' };
  await expect(watchProviders(settingsWith({ local: missing }), () => {}, never, SOON)).rejects.toMatchObject({
    message: expect.stringMatching(/missing\.invalid \((ENOTFOUND|EAI_AGAIN)\)/),
  });
});

test.each([
  ['one provider can be reached', (open: number): Watched => settingsWith({ a: provider(1), b: provider(open) })],
  ['no provider is configured', (): Watched => settingsWith({})],
  [
    'no runtime of the profile calls models',
    (): Watched => ({
      ...settingsWith({ a: provider(1) }),
      runtimeProfile: { default: 'echo', stages: {}, workspaceMayUse: [] },
    }),
  ],
])('the start continues if %s', async (_, settings) => {
  const { port, close } = await listening();
  try {
    await watchProviders(settings(port), () => {}, never, SOON);
  } finally {
    await close();
  }
});
