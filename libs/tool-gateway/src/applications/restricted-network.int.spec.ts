import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type NetConnectOpts, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProcessSandbox } from '@reins/harness';
import { tryLandlock } from '@reins/os-sandbox';
import { APP, app } from '../testing/fixture-app.ts';
import { call, endAll, newContext, SANDBOX, start } from '../testing/services-fixture.ts';
import type { ApplicationSpec } from './application.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  expect(await endAll()).toEqual([]);
});

const NETWORK = { doors: [], variables: {} };
const SECRET = 'a-service-of-the-host';

async function startIn(sandbox: ProcessSandbox | undefined, ...applications: ApplicationSpec[]) {
  const context = { ...(await newContext()), sandbox };
  await mkdir(join(context.workDir, 'apps/a'), { recursive: true });
  await writeFile(join(context.workDir, 'apps/a/app.mjs'), APP);
  return { context, services: await start({ applications }, context) };
}

/** A service of the host. It counts its requests. */
async function hostService() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end(SECRET);
  });
  servers.push(server as unknown as Server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, seen };
}

const reaches = async (to: NetConnectOpts): Promise<boolean> => {
  const client = connect(to);
  const connected = await once(client, 'connect').then(
    () => true,
    () => false,
  );
  client.destroy();
  return connected;
};

// Only bubblewrap gives processes a network of their own.
const bubblewrap = SANDBOX?.isolation.backend === 'bubblewrap' ? SANDBOX : undefined;
if (bubblewrap)
  describe('an application with a restricted network', () => {
    const restricted: ProcessSandbox = { ...bubblewrap, network: NETWORK };
    const api = { target: 'api', path: '/', timeout_s: 60, interval_s: 0.2 } as const;

    test('reaches no service of the host, and no other application', async () => {
      const { port } = await hostService();
      const { services } = await startIn(restricted, app('a'), app('b', { health_check: api }));
      expect(services.unavailable).toEqual([]);
      const ports = JSON.parse((await call(services, 'mcp__b__env')).text) as Record<'PORT' | 'MCP_PORT', string>;
      const targets = [port, Number(ports.PORT), Number(ports.MCP_PORT)];
      for (const each of targets)
        expect(JSON.parse((await call(services, 'mcp__a__connect', { port: each, host: '127.0.0.1' })).text)).toBe(
          'ECONNREFUSED',
        );
      // It reaches itself, and the host does not serve its ports to others.
      const own = JSON.parse((await call(services, 'mcp__a__env')).text) as Record<'PORT', string>;
      const itself = { port: Number(own.PORT), host: '127.0.0.1' };
      expect(JSON.parse((await call(services, 'mcp__a__connect', itself)).text)).toContain('200 OK');
      expect(await reaches(itself)).toBe(false);
    });

    test('sees none of the sockets by which the host reaches applications', async () => {
      const { context, services } = await startIn(restricted, app('a'), app('b'));
      const sockets = (await readdir(context.servicesDir)).filter((name) => name.endsWith('.sock'));
      expect(sockets).toHaveLength(4);
      for (const name of sockets) {
        const path = join(context.servicesDir, name);
        expect(await reaches({ path })).toBe(true);
        expect(JSON.parse((await call(services, 'mcp__a__connect', { path })).text)).toBe('ENOENT');
      }
      await services.close();
      expect((await readdir(context.servicesDir)).filter((name) => name.endsWith('.sock'))).toEqual([]);
    });

    test('cannot lead its host to another server', async () => {
      const { port, seen } = await hostService();
      const away = { target: 'mcp', path: '/away', timeout_s: 3, interval_s: 0.2 } as const;
      const { services } = await startIn(
        restricted,
        app('a', { start_command: `AWAY=http://127.0.0.1:${port}/ exec node app.mjs`, health_check: away }),
      );
      expect(services.unavailable).toMatchObject([{ reason: expect.stringContaining('returns 302') }]);
      expect(seen).toEqual([]);
    });

    test('does not lead to a server that the host did not start', async () => {
      const { port, seen } = await hostService();
      const there = app('a', { start_command: '', mcp: { transport: 'http-sse', port, path: '/mcp' } });
      const { services } = await startIn(restricted, there);
      expect(services.unavailable).toMatchObject([{ reason: expect.stringContaining('no start command') }]);
      expect(seen).toEqual([]);
    });

    test('is reached by its stop command', async () => {
      const stop = `curl -s http://localhost:$PORT/ > "$REINS_WORKSPACE_DIR/stopped.txt"`;
      const { context, services } = await startIn(restricted, app('a', { lifecycle: { setup: '', start: '', stop } }));
      expect(services.unavailable).toEqual([]);
      await services.close();
      expect(await readFile(join(context.workDir, 'stopped.txt'), 'utf8')).toBe('ok');
    });
  });

test('without a network of their own, applications do not start with a restricted network', async () => {
  const attempt = await tryLandlock('tested alone');
  if (!('isolation' in attempt) || !SANDBOX) return; // This host has no Landlock.
  const { services } = await startIn({ ...SANDBOX, isolation: attempt.isolation, network: NETWORK }, app('a'));
  expect(services.unavailable).toMatchObject([{ reason: expect.stringContaining('applications need bubblewrap') }]);
});
