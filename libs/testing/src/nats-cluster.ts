import { freePort } from '@reins/embedded';
import { startNats, type TestNats } from './nats.ts';

/** Three local servers that form one cluster. */
export interface TestNatsCluster {
  readonly nodes: readonly TestNats[];
  readonly urls: string[];
  stop(): Promise<void>;
}

export async function startNatsCluster(): Promise<TestNatsCluster> {
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
