import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { silentLog } from '@reins/bus';
import { HostNetwork } from './host-network.ts';
import type { NetworkMode } from './network-mode.ts';

const networks: HostNetwork[] = [];
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(networks.splice(0).map((network) => network.close()));
  for (const server of servers.splice(0)) server.close();
});

async function networkOf(services: NetworkMode, allow: readonly string[] = []): Promise<HostNetwork> {
  const modes = { executors: 'open', services, limit: 'namespace' } as const;
  const network = await HostNetwork.start({ modes, allow, log: silentLog });
  networks.push(network);
  return network;
}

async function portOfServer(): Promise<number> {
  const server = createServer((client) => client.destroy()).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const signal = AbortSignal.timeout(60_000);

test('remote servers of workspaces are reached as the network of services allows', async () => {
  const [port, other] = [await portOfServer(), await portOfServer()];
  const to = { host: '127.0.0.1', port };
  expect((await networkOf('open')).connectRemote).toBeUndefined();
  const doors = (await networkOf('doors', [`127.0.0.1:${port}`])).connectRemote;
  await expect(doors?.(to, signal)).rejects.toThrow(/may not be reached: host.servicesNetwork is doors/);
  const listed = (await networkOf('allow-list', [`127.0.0.1:${port}`])).connectRemote;
  (await listed?.(to, signal))?.destroy();
  await expect(listed?.({ ...to, port: other }, signal)).rejects.toThrow(/is not in host.allow/);
  await expect(listed?.({ host: '169.254.169.254', port: 80 }, signal)).rejects.toThrow(/may not be reached/);
});

test('each request has a network of its own, which ends with it', async () => {
  const network = await networkOf('allow-list', ['example.com']);
  const [one, other] = [await network.openServices(), await network.openServices()];
  expect(one.secrets).toHaveLength(1);
  expect(one.secrets).not.toEqual(other.secrets);
  const [first, second] = [one, other].map(({ network: each }) => each?.doors[0]?.socket);
  expect(first).not.toBe(second);
  one.close();
  other.close();
});
