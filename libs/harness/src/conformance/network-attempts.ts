import type { JsonObject } from '@reins/contracts';
import type { EscapeAttempt } from './escape-attempts.ts';

/** Servers of the host that the attempts want to reach. Each answers with the secret. */
export interface NetworkTargets {
  readonly secret: string;
  /** The port of TCP and UDP on all addresses of the host. */
  readonly port: number;
  /** An address of the host other than that of the loopback interface. */
  readonly address: string;
  /** The name of an abstract Unix socket. */
  readonly abstract: string;
  /** The path of a Unix socket in a visible folder. */
  readonly socket: string;
  /** A process of the host. */
  readonly pid: number;
}

/** Encodes code, so that the check of the command's text does not see it. */
const node = (code: string): string => `node -e "eval(Buffer.from('${base64(code)}', 'base64').toString())"`;
const python = (code: string): string => `python3 -c "import base64; exec(base64.b64decode('${base64(code)}'))"`;
const base64 = (code: string): string => Buffer.from(code).toString('base64');

/** How long an attempt waits for an answer. A machine that is busy answers late, so it is not short. */
const WAIT_MS = 10_000;

/** Connects, sends a request, and prints what comes back. */
const exchange = (to: JsonObject, sent = 'GET / HTTP/1.0\r\n\r\n'): string =>
  node(`const c = require('net').connect(${JSON.stringify(to)}, () => c.write(${JSON.stringify(sent)}));
c.on('data', (d) => process.stdout.write(d)).on('error', (e) => console.log(e.code)).setTimeout(${WAIT_MS}, () => c.destroy());`);

/** Opens a socket of Python, connects it if it has an address, and prints the secret. */
const opened = (secret: string, socket: string, then = ''): string =>
  python(`import socket\ns = socket.socket(${socket})\ns.settimeout(2)\n${then}\nprint('${secret}')`);

/** Attempts of a shell to reach a destination without a door. */
export function networkAttempts(targets: NetworkTargets): readonly EscapeAttempt[] {
  const { secret, port, address, abstract, socket, pid } = targets;
  const get = `import socket\ns = socket.create_connection(('127.0.0.1', ${port}), 2)\ns.send(b'x')\nprint(s.recv(99))`;
  const commands: Readonly<Record<string, string>> = {
    'a service of the host': exchange({ host: '127.0.0.1', port }),
    'a service of the host over IPv6': exchange({ host: '::1', port }),
    'a service of the host by a mapped address': exchange({ host: '::ffff:127.0.0.1', port }),
    'a service of the host by the unspecified address': exchange({ host: '0.0.0.0', port }),
    'a service of the host by another loopback address': exchange({ host: '127.9.9.9', port }),
    'a service of the host by name': exchange({ host: 'localhost', port }),
    'a service of the host by its address': exchange({ host: address, port }),
    'a service of the host with curl': `curl -s --max-time 2 --noproxy '*' http://127.0.0.1:${port}/`,
    'a service of the host with Python': python(get),
    'a service of the host with bash': `bash -c "$(echo ${base64(`exec 3<>/dev/tcp/127.0.0.1/${port}; echo >&3; timeout 2 cat <&3`)} | base64 -d)"`,
    'a service of the host with Fast Open': python(
      `import socket\ns = socket.socket()\ns.settimeout(2)\ns.sendto(b'x', 0x20000000, ('127.0.0.1', ${port}))\nprint(s.recv(99))`,
    ),
    'a service of the host with Multipath TCP': opened(secret, '2, 1, 262', `s.connect(('127.0.0.1', ${port}))`),
    'a datagram':
      node(`const s = require('dgram').createSocket('udp4').on('error', () => process.exit()).on('message', (d) => { process.stdout.write(d); process.exit() });
s.send('x', ${port}, '127.0.0.1'); setTimeout(() => process.exit(), ${WAIT_MS});`),
    'a name server':
      node(`const r = new (require('dns').Resolver)({ timeout: 1000, tries: 1 }); r.setServers(['127.0.0.1:${port}']);
r.resolveTxt('leak.example.com', (e, a) => console.log(e ? e.code : a));`),
    'an abstract Unix socket': exchange({ path: `\0${abstract}` }),
    'a Unix socket in a visible folder': exchange({ path: socket }),
    'a connected pair for another Unix socket': python(
      `import socket\na, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\na.connect('${socket}')\nprint('${secret}')`,
    ),
    'the metadata of a cloud': node(
      `const c = require('net').connect(80, '169.254.169.254', () => console.log('${secret}')).on('error', () => {}).setTimeout(2000, () => c.destroy())`,
    ),
    'a public address': node(
      `const c = require('net').connect(443, '1.1.1.1', () => console.log('${secret}')).on('error', () => {}).setTimeout(2000, () => c.destroy())`,
    ),
    'a raw socket': opened(secret, 'socket.AF_INET, socket.SOCK_RAW, 1'),
    'a packet socket': opened(secret, 'socket.AF_PACKET, socket.SOCK_RAW, 768'),
    'a socket of the hypervisor': opened(secret, '40, 1, 0'),
    'a socket of the kernel': opened(secret, '38, 5, 0'),
    'the network of another process': `nsenter -t ${pid} -n curl -s --max-time 2 http://127.0.0.1:${port}/`,
  };
  return Object.entries(commands).map(([tries, command]) => ({
    tries: `reaches ${tries}`,
    tool: 'bash',
    args: { command },
  }));
}

/** Attempts of file tools to reach a server by a path. */
export function networkPathAttempts(
  { port, socket, abstract }: NetworkTargets,
  tools: Readonly<Record<string, JsonObject>>,
): readonly EscapeAttempt[] {
  const paths = [
    ...[
      `http://127.0.0.1:${port}/`,
      `/dev/tcp/127.0.0.1/${port}`,
      `//127.0.0.1:${port}/share`,
      `@http://127.0.0.1:${port}`,
    ],
    ...[`file://127.0.0.1:${port}/`, socket, `unix:${socket}`, `@${abstract}`, '/proc/net/unix', '/proc/self/net/tcp'],
  ];
  return Object.entries(tools).flatMap(([tool, more]) =>
    paths.map((path) => ({ tries: `${tool} ${path}`, tool, args: { ...more, path } })),
  );
}
