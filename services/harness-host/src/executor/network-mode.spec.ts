import { expect, test } from '@jest/globals';
import { silentLog } from '@reins/bus';
import { networkModes } from './network-mode.ts';

const NONE = { rule: 'preferred', isolation: { backend: 'none', program: '', lacks: [] }, hidden: [] } as const;
const BUBBLEWRAP = { ...NONE, isolation: { ...NONE.isolation, backend: 'bubblewrap' } } as const;
const settings = { sandbox: 'preferred', network: 'doors', servicesNetwork: 'open' } as const;

test('an open network needs no sandbox', async () => {
  const open = { ...settings, sandbox: 'off', network: 'open' } as const;
  expect(await networkModes(open, undefined, silentLog)).toEqual({
    executors: 'open',
    services: 'open',
    limit: 'none',
  });
});

test('a host restricts the network as its settings say', async () => {
  const modes = { executors: 'doors', services: 'open', limit: 'namespace' };
  expect(await networkModes(settings, BUBBLEWRAP, silentLog)).toEqual(modes);
});

test('a host that cannot restrict the network leaves it open when a sandbox is preferred', async () => {
  const modes = { executors: 'open', services: 'open', limit: 'none' };
  expect(await networkModes(settings, NONE, silentLog)).toEqual(modes);
  expect(await networkModes(settings, undefined, silentLog)).toEqual(modes);
});

test('a host that cannot restrict the network does not start when a sandbox is required', async () => {
  const required = { ...settings, sandbox: 'required', network: 'open', servicesNetwork: 'doors' } as const;
  await expect(networkModes(required, { ...NONE, rule: 'required' }, silentLog)).rejects.toMatchObject({
    problems: [
      { code: 'sandbox_unavailable', path: 'host.servicesNetwork', hint: expect.stringContaining('bubblewrap') },
    ],
  });
});

test('a restricted network without a sandbox is a mistake in the settings', async () => {
  await expect(networkModes({ ...settings, sandbox: 'off' }, undefined, silentLog)).rejects.toMatchObject({
    problems: [{ code: 'settings_invalid', path: 'host.network' }],
  });
});
