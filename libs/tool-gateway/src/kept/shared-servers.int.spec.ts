import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { defined } from '@reins/contracts';
import type { LocalMcpConfig } from '@reins/runtime-config';
import { until } from '@reins/testing';
import type { ServerSpec } from '../client/server-spec.ts';
import type { RunServices, ServicesContext } from '../index.ts';
import {
  call,
  endAll,
  local,
  newContext,
  processes,
  recordedNetworks,
  SANDBOX,
  start,
} from '../testing/services-fixture.ts';
import { SharedServers } from './shared-servers.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

const CANARY = { CANARY: 'canary-12345' };
const shared = (environment: Record<string, string> = {}) =>
  local('s', 'well', { environment, isolation: 'workspace' } as never);

/** Starts the services of a request that uses the shared server of a host. */
async function startOn(host: ServicesContext, inputId: string, environment?: Record<string, string>, revision = 'r') {
  const context = { ...(await newContext()), sharedServers: host.sharedServers };
  await writeFile(join(context.workDir, 'note.txt'), 'from the tree');
  const caller = { workspaceId: 'ws1', sessionId: 's1', inputId };
  const mcp_servers = [shared(environment)];
  return start({ mcp_servers, caller, workspace_config_checksum: revision }, context);
}

const count = async (services: RunServices): Promise<string> => (await call(services, 'mcp__s__tally')).text;
const running = async (): Promise<number> => new Set((await processes()).map(({ token }) => token)).size;

describe('a server with isolation: workspace', () => {
  test('has one process for all requests, which keeps its state', async () => {
    const host = await newContext();
    const requests = await Promise.all(['a', 'b', 'c'].map((id) => startOn(host, id)));
    expect(await running()).toBe(1);
    const counts: string[] = [];
    for (const services of requests) counts.push(await count(services));
    expect(counts).toEqual(['1', '2', '3']);
    await Promise.all(requests.map((services) => services.close()));
    expect(await count(await startOn(host, 'd'))).toBe('4');
    expect(await running()).toBe(1);
  });

  test('has another process for another revision, and for other values of its environment', async () => {
    const host = await newContext();
    const first = await startOn(host, 'a', CANARY);
    const second = await startOn(host, 'b', { CANARY: 'another' });
    const third = await startOn(host, 'c', CANARY, 'next');
    expect([await count(first), await count(second), await count(third)]).toEqual(['1', '1', '1']);
    expect((await call(second, 'mcp__s__secret')).text).toBe('the variable is another');
    expect(await running()).toBe(3);
  });

  test('has another process for another API key or user, and its calls name the user', async () => {
    const { path, sandbox, newToken, packages, sharedServers } = await newContext();
    const startFor = async (inputId: string, userId?: string, actor?: string) => {
      const context = { ...(await newContext()), ...{ path, sandbox, newToken, packages, sharedServers } };
      const caller = { workspaceId: 'ws1', sessionId: 's1', inputId, ...defined({ userId, actor }) };
      return start({ mcp_servers: [shared()], caller }, context);
    };
    const [ann, bob, none] = await Promise.all([startFor('a', 'ann'), startFor('b', 'bob'), startFor('c')]);
    expect(await count(ann)).toBe('1');
    expect(await count(bob)).toBe('1');
    expect(await count(none)).toBe('1');
    expect(await count(await startFor('d', 'ann'))).toBe('2');
    expect(await running()).toBe(3);
    expect(await count(await startFor('e', 'ann', 'key of eve'))).toBe('1');
    expect(await count(await startFor('f', 'ann', 'key of eve'))).toBe('2');
    expect(await running()).toBe(4);
    const meta = JSON.parse((await call(bob, 'mcp__s__meta')).text);
    expect(meta['reins/caller']).toMatchObject({ requestId: 'b', userId: 'bob' });
  });

  test('has no tree and no variables of a request, and learns its caller from each call', async () => {
    const services = await startOn(await newContext(), 'a');
    const [files, variables] = JSON.parse((await call(services, 'mcp__s__surroundings')).text);
    expect(files).toEqual([]);
    expect(variables.filter((name: string) => /WORKSPACE|SESSION|REQUEST/.test(name))).toEqual([]);
    expect(JSON.parse((await call(services, 'mcp__s__meta')).text)).toMatchObject({
      'reins/caller': { workspaceId: 'ws1', sessionId: 's1', requestId: 'a' },
    });
  });

  test('learns the trace of each call, as every server does', async () => {
    const host = await newContext();
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    const services = await start({ mcp_servers: [shared(), local('own')] }, { ...host, trace });
    expect(JSON.parse((await call(services, 'mcp__s__meta')).text)).toMatchObject(trace);
    const meta = JSON.parse((await call(services, 'mcp__own__meta')).text);
    expect(meta).toMatchObject(trace);
    expect(meta).not.toHaveProperty('reins/caller');
  });

  test('is replaced when it exited and a later request needs it', async () => {
    const host = await newContext();
    const first = await startOn(host, 'a');
    await call(first, 'mcp__s__die');
    expect(first.unavailable).toMatchObject([{ serverId: 's' }]);
    const second = await startOn(host, 'b');
    expect(second.unavailable).toEqual([]);
    expect(await count(second)).toBe('1');
  });

  // Without a sandbox, processes have the network of the host.
  if (SANDBOX)
    test('has a network of its own, which ends with it', async () => {
      const host = await newContext();
      const { opened, closed, openNetwork } = recordedNetworks();
      const { path, newToken, servicesDir } = host;
      const sharedServers = new SharedServers({
        ...{ dir: async () => servicesDir, path, sandbox: SANDBOX, newToken, openNetwork },
        ...{ onProcess: () => undefined, onStopped: () => undefined },
      });
      const own = { ...host, sharedServers };
      const values = await Promise.all(
        ['a', 'b'].map(async (value) => {
          const services = await startOn(own, value, {}, value);
          return (await call(services, 'mcp__s__secret')).text;
        }),
      );
      expect(values.toSorted()).toEqual([1, 2].map((nth) => `the variable is network-${nth}`));
      expect(opened).toEqual(['shared server s', 'shared server s']);
      expect(closed).toEqual([]);
      const mcp_servers = [local('s', 'crash', { isolation: 'workspace' } as never)];
      await start({ mcp_servers }, { ...(await newContext()), sharedServers });
      expect(closed).toEqual(['network-3']);
      await sharedServers.close();
      expect(closed.toSorted()).toEqual(['network-1', 'network-2', 'network-3']);
    });

  test('closes its network when its folder cannot be made', async () => {
    const context = await newContext();
    const { closed, openNetwork } = recordedNetworks();
    const file = join(context.workDir, 'no-folder');
    await writeFile(file, '');
    const sharedServers = new SharedServers({
      ...{ dir: async () => file, path: context.path, newToken: context.newToken, openNetwork },
      ...{ onProcess: () => undefined, onStopped: () => undefined },
    });
    const owner = { workspaceId: 'ws1', revision: 'r', actor: null, userId: null };
    const spec: ServerSpec = { serverId: 's', config: local('s').config as LocalMcpConfig };
    const used = sharedServers.use(owner, spec, async () => spec, AbortSignal.timeout(100_000));
    await expect(used).rejects.toThrow('ENOTDIR');
    expect(closed).toEqual(['network-1']);
  });

  test('stops when no stage has used it for a while', async () => {
    const context = await newContext();
    const sharedServers = new SharedServers({
      ...{ dir: async () => join(context.servicesDir), path: context.path, newToken: context.newToken },
      ...{ onProcess: () => undefined, onStopped: () => undefined, idleMs: 1 },
    });
    const services = await start({ mcp_servers: [shared()] }, { ...context, sharedServers });
    expect(await count(services)).toBe('1');
    await services.close();
    await until(async () => (await running()) === 0);
    await sharedServers.close();
  });
});
