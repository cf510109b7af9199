import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a free TCP port on 127.0.0.1. Another process may take it first: the caller must retry then. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return address.port;
}

/** Whether the port on 127.0.0.1 is free. */
export async function isFreePort(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
