import { createServer } from 'node:net';
import { startNats, type TestNats } from '@reins/testing';

/** Three servers on loopback that form one cluster. */
export interface TestCluster {
  readonly nodes: readonly TestNats[];
  readonly urls: string[];
  stop(): Promise<void>;
}

export async function startCluster(): Promise<TestCluster> {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const config = (port: number, index: number): string =>
    `server_name: n${index}\ncluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`;
  const nodes = await Promise.all(ports.map((port, index) => startNats({ config: config(port, index) })));
  return {
    nodes,
    urls: nodes.map(({ url }) => url),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
