import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { silentLog } from '@reins/bus';
import { HostNetwork, type RunNetwork } from './host-network.ts';
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
  await expect(doors?.(to, signal)).rejects.toThrow(/the settings forbid .*: host.servicesNetwork is doors/);
  const listed = (await networkOf('allow-list', [`127.0.0.1:${port}`])).connectRemote;
  (await listed?.(to, signal))?.destroy();
  await expect(listed?.({ ...to, port: other }, signal)).rejects.toThrow(/is not in host.allow/);
  await expect(listed?.({ host: '169.254.169.254', port: 80 }, signal)).rejects.toThrow(/the settings forbid/);
});

/** The status of a request over the proxy of a network. */
async function statusOver({ network }: RunNetwork, to: string): Promise<number | undefined> {
  const proxy = new URL(network?.variables.HTTP_PROXY ?? '');
  const sent = request({
    ...{ host: proxy.hostname, port: proxy.port, path: to, agent: false },
    headers: {
      host: new URL(to).host,
      'proxy-authorization': `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`,
    },
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('each user of the network of services gets one of its own, which ends with it', async () => {
  const server = createHttpServer((_, response) => void response.end('here')).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const to = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const network = await networkOf('allow-list', [to]);
  const [one, other] = [await network.openServices('server a'), await network.openServices('server b')];
  expect(one.secrets).toHaveLength(1);
  expect(one.secrets).not.toEqual(other.secrets);
  const [first, second] = [one, other].map(({ network: each }) => each?.doors[0]?.socket);
  expect(first).not.toBe(second);
  expect([await statusOver(one, `http://${to}/`), await statusOver(other, `http://${to}/`)]).toEqual([200, 200]);
  one.close();
  expect([await statusOver(one, `http://${to}/`), await statusOver(other, `http://${to}/`)]).toEqual([407, 200]);
  other.close();
});

test('copies of files for services connect to nothing, unless services may connect to everything', async () => {
  expect((await networkOf('allow-list', ['example.com'])).helperNetwork).toEqual({ doors: [], variables: {} });
  expect((await networkOf('open')).helperNetwork).toBeUndefined();
});
