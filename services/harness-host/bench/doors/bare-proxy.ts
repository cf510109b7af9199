/** A proxy that only forwards, in a process of its own: sends its address. The argument is the provider. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

const provider = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });

const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const call = requestHttp(new URL(url ?? '/', provider), { method: method ?? 'GET', agent, headers });
  request.pipe(call);
  const [reply] = (await once(call, 'response')) as [IncomingMessage];
  const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, ...returned } = reply.headers;
  response.writeHead(reply.statusCode ?? 502, returned);
  await pipeline(reply, response);
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}${provider.pathname}`),
);
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('disconnect', () => process.exit());
