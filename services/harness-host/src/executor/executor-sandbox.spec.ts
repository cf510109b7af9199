import { homedir, tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { silentLog } from '@reins/bus';
import { executorSandbox, hiddenPaths } from './executor-sandbox.ts';

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

test('executors have no sandbox when host.sandbox is off', async () => {
  expect(await executorSandbox({ sandbox: 'off' }, {}, silentLog)).toBeUndefined();
});

test('a host that requires a sandbox passes on the rule', async () => {
  expect(await executorSandbox({ sandbox: 'required' }, {}, silentLog)).toMatchObject({ rule: 'required' });
});
