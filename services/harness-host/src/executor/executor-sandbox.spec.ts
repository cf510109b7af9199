import { homedir, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { silentLog } from '@reins/bus';
import { executorSandbox, hiddenPaths, serviceSandbox } from './executor-sandbox.ts';

test('hides state, seeds and settings of the installation, homes, and the folders of other runs', () => {
  const hidden = hiddenPaths('/srv/app', '/data/.reins/run/nats', { REINS_CONFIG: 'etc/reins.yaml' });
  expect(hidden).toEqual(
    expect.arrayContaining([
      ...['/srv/app/.reins', '/srv/.reins', '/data/.reins', '/data/.reins/run/nats', '/srv/app/etc/reins.yaml'],
      ...['/srv/app/reins.yaml', '/home', '/root', '/run', '/tmp', homedir(), tmpdir()],
    ]),
  );
  expect(hidden).not.toContain('/data');
  expect(hidden).not.toContain('/srv/app');
});

test('hides the files with the keys of providers', async () => {
  const providers = {
    a: { api: 'openai-completions', baseUrl: 'http://a.test', apiKeyFile: '/etc/keys/a' },
    b: { api: 'openai-completions', baseUrl: 'http://b.test', apiKeyFile: 'b.key' },
  } as const;
  const sandbox = await executorSandbox({ sandbox: 'required', providers }, {}, silentLog);
  const files = ['/etc/keys/a', resolve('b.key')];
  expect(sandbox?.hidden).toEqual(expect.arrayContaining(files));
  expect(serviceSandbox(sandbox)?.hidden).toEqual(expect.arrayContaining(files));
});

test('executors have no sandbox when host.sandbox is off', async () => {
  expect(await executorSandbox({ sandbox: 'off', providers: {} }, {}, silentLog)).toBeUndefined();
});

test('a host that requires a sandbox passes on the rule', async () => {
  expect(await executorSandbox({ sandbox: 'required', providers: {} }, {}, silentLog)).toMatchObject({
    rule: 'required',
  });
});

test('servers may read homes, but not the state of an installation in a home', () => {
  const isolation = { backend: 'none', program: '', lacks: [] } as const;
  const hidden = hiddenPaths('/root/app', undefined, {});
  const sandbox = serviceSandbox({ rule: 'preferred', isolation, hidden });
  expect(sandbox?.hidden).toEqual(expect.arrayContaining(['/root/app/.reins', '/root/app/reins.yaml', '/tmp', '/run']));
  for (const home of ['/home', '/root', homedir()]) expect(sandbox?.hidden).not.toContain(home);
  expect(serviceSandbox(undefined)).toBeUndefined();
});
