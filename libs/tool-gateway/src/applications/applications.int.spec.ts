import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProcessSandbox } from '@reins/harness';
import { freePort, tempDir } from '@reins/testing';
import type { ServicesContext } from '../index.ts';
import { SetupCache } from '../setups/setup-cache.ts';
import { APP, app } from '../testing/fixture-app.ts';
import { call, endAll, newContext, SANDBOX, start, waitForPair } from '../testing/services-fixture.ts';
import type { ApplicationSpec } from './application.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

const NODE = process.execPath;

async function startApps(...applications: ApplicationSpec[]) {
  return startAppsIn(SANDBOX, ...applications);
}

async function startAppsIn(sandbox: ProcessSandbox | undefined, ...applications: ApplicationSpec[]) {
  return startWith({ sandbox }, ...applications);
}

async function startWith(more: Partial<ServicesContext>, ...applications: ApplicationSpec[]) {
  const inSandbox = await newContext((name) => (name === 'KNOWN' ? 'canary-value' : undefined));
  const context = { ...inSandbox, ...more };
  await mkdir(join(context.workDir, 'apps/a'), { recursive: true });
  await writeFile(join(context.workDir, 'apps/a/app.mjs'), APP);
  return { context, services: await start({ applications }, context) };
}

const DOORS: ProcessSandbox | undefined = SANDBOX && { ...SANDBOX, network: { doors: [], variables: {} } };
/** Only bubblewrap gives processes a network of their own. */
const hasOwnNetwork = SANDBOX?.isolation.backend === 'bubblewrap';

describe('applications', () => {
  test.each([
    ['in a sandbox', SANDBOX],
    ...(hasOwnNetwork ? [['in a sandbox with a restricted network', DOORS] as const] : []),
    ['without a sandbox', undefined],
  ])(
    'get their ports, their env_contract and the ids of the run, and are stopped by their stop command %s',
    async (_, sandbox) => {
      const { context, services } = await startAppsIn(
        sandbox,
        app('a', { lifecycle: { setup: '', start: '', stop: 'echo stopped > "$REINS_WORKSPACE_DIR/stopped.txt"' } }),
      );
      expect(services.unavailable).toEqual([]);
      const environment = JSON.parse((await call(services, 'mcp__a__env')).text);
      expect(environment).toMatchObject({
        KNOWN: 'canary-value',
        REINS_WORKSPACE_DIR: context.workDir,
        REINS_REQUEST_ID: 'r1',
      });
      expect(environment).not.toHaveProperty('UNKNOWN');
      expect(environment.PORT).not.toBe(environment.MCP_PORT);
      expect(JSON.parse((await call(services, 'mcp__a__headers')).text)).toMatchObject({
        'x-workspace-id': 'ws1',
        'x-holaboss-workspace-id': 'ws1',
        'x-holaboss-session-id': 's1',
        'x-holaboss-input-id': 'r1',
      });
      await services.close();
      expect(await readFile(join(context.workDir, 'stopped.txt'), 'utf8')).toBe('stopped\n');
      expect(await readFile(join(context.workDir, 'ended.txt'), 'utf8')).toBe('by SIGTERM');
    },
  );

  test('start concurrently, and each reports why it did not start', async () => {
    const ill = { target: 'mcp', path: '/down', timeout_s: 6, interval_s: 0.2 } as const;
    const pairedCommand = (id: string, other: string): string =>
      `${waitForPair(id, other, '"$REINS_WORKSPACE_DIR"')}; exec ${NODE} app.mjs`;
    const { context, services } = await startApps(
      app('well', {
        start_command: pairedCommand('well', 'ill'),
        health_check: { ...ill, path: '/up', target: 'api', timeout_s: 60 },
      }),
      app('ill', { start_command: pairedCommand('ill', 'well'), health_check: ill }),
      app('mute', { start_command: 'sleep 60', health_check: { ...ill, timeout_s: 1.5 } }),
      app('unready', { lifecycle: { setup: 'echo nothing to install >&2; exit 4', start: '', stop: '' } }),
      app('away', { base_dir: '../..' }),
    );
    const reasons = Object.fromEntries(services.unavailable.map(({ serverId, reason }) => [serverId, reason]));
    expect(reasons).toEqual({
      ill: expect.stringContaining('its health check returns 405'),
      mute: expect.stringContaining('its health check does not respond'),
      unready: expect.stringContaining('its setup exited (code 4): nothing to install'),
      away: 'its folder is outside the workspace',
    });
    expect(reasons.ill).toContain('UNKNOWN');
    // `well` and `ill` wait for each other, so this works only when they start concurrently.
    expect(await call(services, 'mcp__well__env')).toMatchObject({ isError: false });
    // An application runs in a copy of the tree.
    await expect(access(join(context.servicesDir, 'apps/apps/a/app.mjs'))).resolves.toBeUndefined();
  });

  test('are set up once for all runs of a host, in a copy of its own for each run', async () => {
    const { path, newToken } = await newContext();
    const dir = join(await tempDir('setups'), 'setups');
    const setups = new SetupCache({ dir, path, sandbox: SANDBOX, newToken, maxBytes: 1024 * 1024, maxAgeMs: 60_000 });
    const setup = `${NODE} -e "require('node:fs').writeFileSync('done.txt', crypto.randomUUID())"`;
    const start = async () => {
      const { context, services } = await startWith(
        { setups },
        app('a', { lifecycle: { setup, start: '', stop: '' } }),
      );
      expect(services.unavailable).toEqual([]);
      return join(context.servicesDir, 'apps/apps/a/done.txt');
    };
    const [first, second] = [await start(), await start()];
    expect(await readFile(second, 'utf8')).toBe(await readFile(first, 'utf8'));
    expect(second).not.toBe(first);
  });

  test('without a start command are reached on the port of their manifest', async () => {
    const port = await freePort();
    const context = await newContext();
    await writeFile(join(context.workDir, 'app.mjs'), APP);
    const other = await start(
      {
        applications: [
          app('other', {
            base_dir: '.',
            start_command: `MCP_PORT=${port} exec ${NODE} app.mjs`,
            health_check: { target: 'api', path: '/', timeout_s: 60, interval_s: 1 },
          }),
        ],
      },
      context,
    );
    const there = app('there', { start_command: '', mcp: { transport: 'http-sse', port, path: '/mcp' } });
    const services = await start({ applications: [there] }, context);
    expect(services.unavailable).toEqual([]);
    expect(await call(services, 'mcp__there__headers')).toMatchObject({ isError: false });
    await other.close();
  });
});
