import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { processSettings } from '@reins/service-kit/installation';
import { type Watched, watchProviders } from './provider-watch.ts';

const settingsWith = (providers: object) => processSettings({ REINS_PROVIDERS: JSON.stringify(providers) });
const provider = (port: number) => ({ api: 'openai-completions', baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'k' });
const never = new AbortController().signal;

async function listening(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, close };
}

test('a start whose only provider refuses connections ends with the address, the cause and the setting', async () => {
  const { port, close } = await listening();
  await close();
  const notes: string[] = [];
  const watched = watchProviders(settingsWith({ local: provider(port) }), (line) => notes.push(line), never, 50);
  await expect(watched).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining(`provider local cannot be reached at http://127.0.0.1:${port} (ECONNREFUSED)`),
    path: 'providers.local.base_url',
    hint: expect.stringContaining('reins doctor'),
  });
  expect(notes).toEqual([expect.stringMatching(/\(ECONNREFUSED\); trying again \(0\.0 s of 0\.1 s\)$/)]);
});

test('a name without an address is not tried for longer than a refused connection', async () => {
  const missing = { ...provider(1), baseUrl: 'http://missing.invalid/v1' };
  await expect(watchProviders(settingsWith({ local: missing }), () => {}, never, 50)).rejects.toMatchObject({
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
    await watchProviders(settings(port), () => {}, never, 50);
  } finally {
    await close();
  }
});
