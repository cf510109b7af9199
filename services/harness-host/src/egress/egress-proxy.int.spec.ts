import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { allowList } from './allow-list.ts';
import { type EgressAccess, EgressProxy, type RefusedConnection } from './egress-proxy.ts';

/** Names and their addresses. The second lookup of `rebind.test` returns a different address. */
const ADDRESSES: Record<string, (nth: number) => string[]> = {
  'registry.test': () => ['127.0.0.1'],
  'private.test': () => ['10.0.0.1'],
  'mixed.test': () => ['127.0.0.1', '169.254.169.254'],
  'rebind.test': (nth) => [nth === 0 ? '127.0.0.1' : '169.254.169.254'],
};
const seen: { url: string; headers: IncomingMessage['headers']; body: string }[] = [];
const resolved: string[] = [];
const refused: RefusedConnection[] = [];
let [web, echo, proxy, port, access, echoPort]: [HttpServer, Server, EgressProxy, number, EgressAccess, number] =
  [] as never;

beforeAll(async () => {
  web = createServer((from, to) => {
    void text(from).then((body) => {
      seen.push({ url: from.url ?? '', headers: from.headers, body });
      if (from.url === '/redirect') to.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
      else to.writeHead(200, { 'x-from': 'web' }).end(`web ${body}`);
    });
  }).listen(0, '127.0.0.1');
  echo = createTcpServer({ allowHalfOpen: true }, (client) => client.pipe(client)).listen(0, '127.0.0.1');
  await Promise.all([once(web, 'listening'), once(echo, 'listening')]);
  port = (web.address() as AddressInfo).port;
  echoPort = (echo.address() as AddressInfo).port;
  const names = Object.keys(ADDRESSES).map((name) => `${name}:${port}`);
  proxy = await EgressProxy.start({
    allow: allowList([
      ...names,
      `127.0.0.1:${port}`,
      `registry.test:${echoPort}`,
      `127.0.0.1:${echoPort}`,
      'tunnel.test',
    ]),
    resolve: async (host) => {
      resolved.push(host);
      const addresses = ADDRESSES[host];
      if (!addresses) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      return addresses(resolved.filter((each) => each === host).length - 1);
    },
  });
});
afterAll(async () => {
  await proxy.close();
  web.close();
  echo.close();
});
beforeEach(() => {
  for (const list of [seen, resolved, refused]) list.length = 0;
  access?.close();
  access = proxy.open((each) => refused.push(each));
});

const credentials = () =>
  `Basic ${Buffer.from(access.url.slice('http://'.length, access.url.indexOf('@'))).toString('base64')}`;

/** Sends a request to the proxy as it is. */
async function get(url: string, headers: Record<string, string> = {}, body?: string) {
  const sent = request({
    ...{ host: '127.0.0.1', port: proxy.port, path: url, method: body === undefined ? 'GET' : 'POST', setHost: false },
    headers: { host: new URL(url).host, 'proxy-authorization': credentials(), ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Opens a tunnel, and sends a text through it. */
async function through(destination: string, sent: string, authorization = credentials()): Promise<string> {
  const client = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
  client.write(
    `CONNECT ${destination} HTTP/1.1\r\nHost: ${destination}\r\nProxy-Authorization: ${authorization}\r\n\r\n`,
  );
  client.end(sent);
  return text(client);
}

test('forwards requests to an allowed destination, without the token', async () => {
  const answer = await get(
    `http://registry.test:${port}/a?b=c`,
    { 'proxy-connection': 'keep-alive', accept: 'x/y' },
    'hi',
  );
  expect(answer).toMatchObject({ status: 200, body: 'web hi', headers: { 'x-from': 'web' } });
  expect(seen).toMatchObject([
    { url: '/a?b=c', body: 'hi', headers: { host: `registry.test:${port}`, accept: 'x/y' } },
  ]);
  expect(JSON.stringify(seen)).not.toMatch(/proxy-/i);
  expect(refused).toEqual([]);
});

test('opens tunnels to an allowed destination', async () => {
  const answer = await through(`registry.test:${echoPort}`, 'any protocol');
  expect(answer).toBe('HTTP/1.1 200 Connection established\r\n\r\nany protocol');
});

test.each([
  ['evil.test:443', 'network_connect_denied'],
  ['127.0.0.1:4222', 'network_connect_denied'],
  ['[::1]:4222', 'network_connect_denied'],
  ['0x7f.1:80', 'network_connect_denied'],
  ['2130706433:80', 'network_connect_denied'],
  ['localhost:80', 'network_connect_denied'],
  ['169.254.169.254:80', 'network_connect_denied'],
  ['registry.test:22', 'network_connect_denied'],
  ['registry.test.evil.test:443', 'network_connect_denied'],
])('refuses %s before it resolves the name, and reports it once', async (destination, code) => {
  const answers = [await through(destination, 'x'), await through(destination, 'x')];
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      code,
      error: expect.stringContaining('host.allow'),
      hint: expect.stringContaining('host.allow'),
    });
  }
  expect(resolved).toEqual([]);
  expect(refused).toMatchObject([{ code }]);
});

test.each(['private.test', 'mixed.test'])('refuses %s, because it has a private address', async (name) => {
  const answer = await get(`http://${name}:${port}/`);
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, 'network_address_denied']);
  expect(seen).toEqual([]);
});

test('resolves a name for each connection, and connects to the address that it has checked', async () => {
  const answers = [await get(`http://rebind.test:${port}/`), await get(`http://rebind.test:${port}/`)];
  expect(answers.map(({ status }) => status)).toEqual([200, 403]);
});

test('refuses a request whose Host differs from its destination', async () => {
  const answer = await get(`http://registry.test:${port}/`, { host: 'evil.test' });
  expect([answer.status, JSON.parse(answer.body).code, seen]).toEqual([403, 'network_host_mismatch', []]);
});

test('does not follow redirects', async () => {
  const answer = await get(`http://registry.test:${port}/redirect`);
  expect([answer.status, answer.headers.location]).toEqual([302, 'http://127.0.0.1:9/']);
  expect((await get(answer.headers.location ?? '')).status).toBe(403);
});

test('a body cannot contain another request', async () => {
  const inner = 'GET /inner HTTP/1.1\r\nHost: evil.test\r\n\r\n';
  const client = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
  const head = `GET http://registry.test:${port}/outer HTTP/1.1\r\nHost: registry.test:${port}\r\nProxy-Authorization: ${credentials()}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  client.write(`${head}${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`);
  await once(client, 'data');
  client.destroy();
  expect(seen).toMatchObject([{ url: '/outer', body: inner }]);
});

test('an unknown name, and a destination that does not answer, are errors of the network', async () => {
  expect(await through('tunnel.test:443', 'x')).toMatch(/^HTTP\/1.1 502 network_unreachable[\s\S]*ENOTFOUND/);
  expect(refused).toMatchObject([{ host: 'tunnel.test', port: 443, code: 'network_unreachable' }]);
});

test.each(['Basic cnVuOg==', 'Bearer x', ''])('requires the token of a run, not %j', async (authorization) => {
  expect(await through(`registry.test:${port}`, 'x', authorization)).toMatch(/^HTTP\/1.1 407 network_token_invalid/);
});

test.each(['https://registry.test/', '/path', 'ftp://registry.test/', 'http://a:b@registry.test/'])(
  'refuses the target %s',
  async (target) => {
    const client = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
    client.end(`GET ${target} HTTP/1.1\r\nHost: registry.test\r\nProxy-Authorization: ${credentials()}\r\n\r\n`);
    expect(await text(client)).toMatch(/^HTTP\/1.1 400 /);
  },
);

test('the end of a run ends its connections and its token', async () => {
  const client = connect({ port: proxy.port, host: '127.0.0.1' });
  client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${credentials()}\r\n\r\n`);
  const [head] = (await once(client, 'data')) as [Buffer];
  expect(String(head)).toContain('200');
  const old = credentials();
  access.close();
  await once(client, 'close');
  expect(await through(`registry.test:${port}`, 'x', old)).toContain('407');
});

test('a run has a limited number of connections', async () => {
  const clients = Array.from({ length: 64 }, () => connect({ port: proxy.port, host: '127.0.0.1' }));
  const open = (client: (typeof clients)[number]) => {
    client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${credentials()}\r\n\r\n`);
    return once(client, 'data');
  };
  await Promise.all(clients.map(open));
  expect(await through(`registry.test:${port}`, 'x')).toMatch(/^HTTP\/1.1 429 network_busy/);
  for (const client of clients) client.destroy();
});
