import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import {
  type Door,
  type Isolation,
  type LaunchOptions,
  launchIsolated,
  networkLimit,
  tryBubblewrap,
  tryLandlock,
} from '../index.ts';

const isolations = (await Promise.all([tryBubblewrap(), tryLandlock('tested alone')])).flatMap((attempt) =>
  'isolation' in attempt ? [attempt.isolation] : [],
);
const servers: Server[] = [];
let [folder, door, other]: [string, Door, number] = ['', { port: 0, socket: '' }, 0];

/** A server that answers each line with itself, on TCP and on a Unix socket. */
async function echoServer(socket?: string): Promise<number> {
  const tcp = createServer({ allowHalfOpen: true }, (client) => client.pipe(client));
  servers.push(tcp);
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  if (socket !== undefined) {
    const unix = createServer({ allowHalfOpen: true }, (client) => client.pipe(client));
    servers.push(unix);
    unix.listen(socket);
    await once(unix, 'listening');
  }
  return (tcp.address() as AddressInfo).port;
}

beforeAll(async () => {
  folder = realpathSync(await tempDir('doors'));
  mkdirSync(join(folder, 'visible'));
  const socket = join(folder, 'door.sock');
  door = { port: await echoServer(socket), socket };
  other = await echoServer(join(folder, 'visible', 'host.sock'));
});
afterAll(() => {
  for (const server of servers) server.close();
});

async function ended(child: ChildProcess) {
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, output, errors };
}

/** Connects, sends a text and prints what comes back, or the code of the error. */
const EXCHANGE = `
const net = require('node:net');
const exchange = (to) => new Promise((resolve) => {
  let got = '';
  const client = net.connect({ ...to, allowHalfOpen: true });
  client.on('data', (data) => { got += data }).on('end', () => resolve(got)).on('error', ({ code }) => resolve(code));
  client.on('connect', () => client.end('hello'));
});
const show = (value) => { process.stdout.write(JSON.stringify(value)); };
`;

test('a host says how it can restrict the network', async () => {
  expect(await Promise.all(isolations.map(networkLimit))).toEqual(
    isolations.map(({ backend }) => (backend === 'bubblewrap' ? 'namespace' : expect.stringMatching(/^(ports|none)$/))),
  );
  expect(await networkLimit({ backend: 'none', program: '', lacks: [] })).toBe('none');
});

/** Those that can restrict the network. Under an older Landlock a child with doors does not start. */
const withDoors: Isolation[] = [];
for (const isolation of isolations) if ((await networkLimit(isolation)) !== 'none') withDoors.push(isolation);

test('a child does not start under a Landlock that cannot restrict its network', async () => {
  for (const isolation of isolations.filter((each) => !withDoors.includes(each))) {
    const child = launchIsolated(isolation, { command: '/bin/sh', network: { doors: [door] }, processes: true });
    expect(await ended(child)).toMatchObject({ code: 125, errors: expect.stringContaining('cannot restrict TCP') });
  }
});

for (const isolation of withDoors)
  describe(`a child with doors in ${isolation.backend}`, () => {
    const started = (code: string, more: Partial<LaunchOptions> = {}): ChildProcess =>
      launchIsolated(isolation, {
        command: process.execPath,
        args: ['-e', EXCHANGE + code],
        readable: [join(folder, 'visible')],
        network: { doors: [door] },
        processes: true,
        ...more,
      });

    test('reaches the server of a door at its port', async () => {
      const { output, errors } = await ended(started(`exchange({ port: ${door.port}, host: '127.0.0.1' }).then(show)`));
      expect([output, errors]).toEqual(['"hello"', '']);
    });

    test('reaches no other port, address or Unix socket', async () => {
      const { output } = await ended(
        started(`const all = [
        { port: ${other}, host: '127.0.0.1' }, { port: ${other}, host: '::1' }, { port: 443, host: '192.0.2.1' },
        { port: 443, host: '2001:db8::1' }, { path: ${JSON.stringify(join(folder, 'visible', 'host.sock'))} },
      ];
      Promise.all(all.map(exchange)).then(show)`),
      );
      const errors = JSON.parse(output) as string[];
      expect(errors).toHaveLength(5);
      for (const error of errors)
        expect(error).toMatch(/^(EACCES|EPERM|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EAFNOSUPPORT|EADDRNOTAVAIL)$/);
    });

    test('sends no datagrams', async () => {
      const { output } = await ended(
        started(`try { const socket = require('node:dgram').createSocket('udp4').on('error', ({ code }) => show(code));
        socket.send('x', 53, '192.0.2.1', (error) => { show(error?.code ?? 'sent'); process.exit() }); }
        catch ({ code }) { show(code) }`),
      );
      expect(output).toMatch(/^"(ENETUNREACH|EAFNOSUPPORT|EPERM)"$/);
    });

    test('has its environment, descriptors and exit code', async () => {
      const child = started(
        `const fs = require('node:fs'); fs.writeSync(3, JSON.stringify([process.env.NODE_OPTIONS, process.env.A]) + fs.readFileSync(0)); process.exit(7)`,
        {
          env: { NODE_OPTIONS: '--no-deprecation', A: 'b=c' },
          stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
        },
      );
      child.stdin?.end(' heard');
      const [printed, { code }] = await Promise.all([text(child.stdio[3] as Readable), ended(child)]);
      expect([printed, code]).toEqual(['["--no-deprecation","b=c"] heard', 7]);
    });

    test('must be allowed to start processes', () => {
      expect(() => started('', { processes: false })).toThrow(/must be allowed to start processes/);
    });
  });

for (const isolation of isolations.filter(({ backend }) => backend === 'bubblewrap'))
  describe(`the forwarder in ${isolation.backend}`, () => {
    const started = (command: string, args: readonly string[]): ChildProcess =>
      launchIsolated(isolation, { command, args, network: { doors: [door] }, processes: true });

    test('passes on signals, and ends as its command does', async () => {
      const code = `process.on('SIGTERM', () => process.exit(5)); process.stdout.write('up'); setInterval(() => {}, 1000); setTimeout(() => process.kill(process.ppid, 'SIGTERM'), 1)`;
      expect((await ended(started(process.execPath, ['-e', code]))).code).toBe(5);
      expect((await ended(started('/bin/sh', ['-c', 'kill -9 $$']))).code).toBe(128 + 9);
    });

    test('has neither the environment nor the other descriptors of its command', async () => {
      const code = `const fs = require('node:fs'); const of = '/proc/' + process.ppid;
      process.stdout.write(JSON.stringify([fs.readFileSync(of + '/environ', 'utf8').includes('SECRET'), process.env.SECRET]))`;
      const child = launchIsolated(isolation, {
        command: process.execPath,
        args: ['-e', code],
        env: { SECRET: 'x' },
        network: { doors: [door] },
        processes: true,
      });
      expect((await ended(child)).output).toBe('[false,"x"]');
    });

    test('says that its command cannot be started', async () => {
      const command = join(folder, 'not-a-program');
      writeFileSync(command, 'x', { mode: 0o600 });
      const { code, errors } = await ended(started(command, []));
      expect([code, errors]).toEqual([126, `${command}: spawn ${command} EACCES\n`]);
    });
  });

for (const isolation of isolations.filter(({ backend }) => backend === 'bubblewrap'))
  describe(`a child that serves a port in ${isolation.backend}`, () => {
    const PORT = 4000;
    let socket = '';
    let child: ChildProcess;

    /** A server that answers with its name, on one address. */
    const serving = (name: string, host: string): string =>
      `require('node:net').createServer((c) => c.end('${name}')).listen(${PORT}, '${host}', () => console.log('up'));`;
    const startedAt = async (path: string, code: string, more: Partial<LaunchOptions> = {}): Promise<ChildProcess> => {
      socket = path;
      child = launchIsolated(isolation, {
        command: process.execPath,
        args: ['-e', code],
        network: { doors: [], served: [{ port: PORT, socket }] },
        processes: true,
        ...more,
      });
      await once(child.stdout as Readable, 'data');
      return child;
    };
    const started = (code: string, more: Partial<LaunchOptions> = {}): Promise<ChildProcess> =>
      startedAt(join(folder, `${randomUUID()}.sock`), code, more);
    const answerOf = (path: string): Promise<string> =>
      text(connect(path)).catch(({ code }: NodeJS.ErrnoException) => String(code));

    afterEach(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    });

    test.each(['127.0.0.1', '::1', '0.0.0.0'])('is reached on %s', async (host) => {
      await started(serving('served', host));
      expect(await answerOf(socket)).toBe('served');
    });

    test('is reached by another child with a door to it', async () => {
      await started(serving('served', '127.0.0.1'));
      const code = `require('node:net').connect(${PORT}, '127.0.0.1').on('data', (d) => process.stdout.write(d))`;
      const doors = [{ port: PORT, socket }];
      const other = launchIsolated(isolation, {
        ...{ command: process.execPath, args: ['-e', code], network: { doors }, processes: true },
      });
      expect((await ended(other)).output).toBe('served');
    });

    test('is reached by no other child, and by no port of the host', async () => {
      await started(serving('served', '0.0.0.0'));
      const code = `${EXCHANGE}Promise.all([{ port: ${PORT}, host: '127.0.0.1' }, { path: ${JSON.stringify(socket)} }].map(exchange)).then(show)`;
      const other = launchIsolated(isolation, {
        ...{ command: process.execPath, args: ['-e', code], network: { doors: [door] }, processes: true },
        readable: [folder],
      });
      expect(JSON.parse((await ended(other)).output)).toEqual(['ECONNREFUSED', expect.stringMatching(/^E/)]);
      const onHost = connect({ port: PORT, host: '127.0.0.1' });
      expect(await text(onHost).catch(({ code: reason }: NodeJS.ErrnoException) => reason)).not.toBe('served');
    });

    test('leads the host to no other server', async () => {
      // The child sees the folder, which callers must not allow, and puts a link to another server there.
      const visible = join(folder, 'visible');
      const replacing = `const fs = require('node:fs'); const path = ${JSON.stringify(join(visible, 'served.sock'))};
try { fs.rmSync(path); fs.symlinkSync(${JSON.stringify(door.socket)}, path); } catch ({ code }) { console.log(code); } console.log('up');
setInterval(() => {}, 1000);`;
      await startedAt(join(visible, 'served.sock'), replacing, { readable: [visible] });
      expect(await answerOf(socket)).not.toBe('hello');
    });

    test('does not have the listener itself', async () => {
      const code = `const fs = require('node:fs');
const links = fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd) } catch { return '' } });
${serving("' + links.filter((link) => link.startsWith('socket')).length + '", '127.0.0.1')}`;
      await started(code);
      expect(await answerOf(socket)).toBe('2'); // Its output and its errors.
    });

    test('is not reached before it listens, nor after its end', async () => {
      await started(`console.log('up'); process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000);`);
      expect(await answerOf(socket)).toMatch(/^(ECONNRESET|)$/);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(await answerOf(socket)).toBe('ENOENT');
      expect(readdirSync(folder).filter((name) => name.endsWith('.kept'))).toEqual([]);
    });

    test('does not start with a path that is too long', () => {
      const long = join(folder, 'x'.repeat(120));
      expect(() =>
        launchIsolated(isolation, {
          command: process.execPath,
          network: { doors: [], served: [{ port: PORT, socket: long }] },
          processes: true,
        }),
      ).toThrow(/cannot be created/);
    });
  });

const COMPILER = ['/usr/bin/cc', '/usr/bin/gcc', '/usr/bin/clang'].find(existsSync);

/** Opens sockets that no address family of Node.js has. Exits with 70 or more when one opens. */
const NATIVE = `
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
  if (socket(AF_VSOCK, SOCK_STREAM, 0) >= 0) return 70;
  if (socket(AF_PACKET, SOCK_RAW, 0) >= 0) return 71;
  if (socket(AF_INET, SOCK_RAW, 1) >= 0) return 72;
  if (socket(38, SOCK_SEQPACKET, 0) >= 0) return 73;
  return 7;
}`;

for (const isolation of withDoors)
  describe(`native code with doors in ${isolation.backend}`, () => {
    test('opens no socket that leaves its namespace', async () => {
      if (COMPILER === undefined) throw new Error('this test needs a C compiler');
      writeFileSync(join(folder, 'sockets.c'), NATIVE);
      const command = join(folder, `sockets-${isolation.backend}`);
      execFileSync(COMPILER, ['-o', command, join(folder, 'sockets.c')]);
      const child = launchIsolated(isolation, { command, network: { doors: [door] }, processes: true });
      expect((await ended(child)).code).toBe(7);
    });
  });
