/** An attack on the operating-system sandbox, in plain Node.js code that nothing else restricts. */
export interface SystemAttack {
  /**
   * An expression over the names of `PRELUDE`. The sandbox holds if it throws, rejects, or returns one of `harmless`.
   */
  readonly code: string;
  readonly harmless?: readonly unknown[];
  /** Whether it succeeds without isolation, so that the test proves that isolation stops it. */
  readonly worksWithoutIsolation: boolean;
  /** Whether only namespaces stop it. */
  readonly namespaces?: true;
}

export const PRELUDE = `
  import * as fs from 'node:fs'; import * as net from 'node:net'; import * as cp from 'node:child_process'; import * as dgram from 'node:dgram';
  import * as dns from 'node:dns/promises'; import * as os from 'node:os'; import * as http from 'node:http'; import { Worker } from 'node:worker_threads';
  const [ports, place, parent] = [JSON.parse(process.argv[2]), process.argv[3], Number(process.argv[4])];
  const connected = (options) => new Promise((resolve, reject) => net.connect(options).on('connect', () => resolve('connected')).on('error', reject));
  const listening = (...at) => new Promise((resolve, reject) => { const server = net.createServer().on('error', reject).listen(...at, () => { server.close(); resolve('listening'); }); });
`;

const works = (code: string, harmless?: readonly unknown[]): SystemAttack => ({
  code,
  worksWithoutIsolation: true,
  ...(harmless && { harmless }),
});
const worksForRoot = (code: string): SystemAttack => ({ code, worksWithoutIsolation: process.getuid?.() === 0 });
const fails = (code: string): SystemAttack => ({ code, worksWithoutIsolation: false });
const hidden = (code: string, harmless?: readonly unknown[]): SystemAttack => ({
  ...works(code, harmless),
  namespaces: true,
});

export const SYSTEM_ATTACKS: Readonly<Record<string, SystemAttack>> = {
  'TCP to the loopback of the host': works(`connected({ port: ports.tcp, host: '127.0.0.1' })`),
  'TCP by IPv6': works(`connected({ port: ports.tcp, host: '::ffff:127.0.0.1' })`),
  HTTP: works(
    `new Promise((resolve, reject) => http.get({ port: ports.tcp, host: '127.0.0.1' }).on('socket', (socket) => socket.on('connect', () => resolve('connected'))).on('error', reject))`,
  ),
  fetch: fails(`fetch('http://127.0.0.1:' + ports.tcp, { signal: AbortSignal.timeout(500) })`),
  'a listening socket': works(`listening(0, '127.0.0.1')`),
  'a Unix socket of the host': works(`connected({ path: place + '/host.sock' })`),
  'an abstract Unix socket of the host': works(`connected({ path: '\\0' + ports.abstract })`),
  'a Unix socket of its own': works(`listening(place + '/own.sock')`),
  UDP: works(
    `new Promise((resolve, reject) => dgram.createSocket('udp4').on('error', reject).send('x', ports.tcp, '127.0.0.1', (error) => error ? reject(error) : resolve('sent')))`,
  ),
  'name resolution': fails(`dns.lookup('example.com')`),
  'another program': works(`cp.execFileSync(process.execPath, ['-v']).toString()`),
  'a shell': works(`cp.execSync('echo out').toString()`),
  'a fork of itself': works(
    `new Promise((resolve, reject) => cp.fork(process.argv[1], ['{}', place, '1'], { execArgv: ['-e', '0'] }).on('spawn', () => resolve('spawned')).on('error', reject))`,
  ),
  'a signal to its parent': works(`process.kill(parent, 0)`),
  'a deadly signal to its parent': fails(`process.kill(parent + 1e6, 'SIGKILL')`),
  'the environment of its parent': works(`fs.readFileSync('/proc/' + parent + '/environ', 'utf8').length`),
  'the memory of its parent': works(`fs.closeSync(fs.openSync('/proc/' + parent + '/mem', 'r'))`),
  'descriptors of its parent': works(`fs.readdirSync('/proc/' + parent + '/fd').length`),
  'the root of its parent': works(`fs.readdirSync('/proc/' + parent + '/root/').length`),
  'the debugger of its parent': fails(`process._debugProcess(parent + 1e6)`),
  'the processes of the host': works(`fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length <= 2`, [
    true,
  ]), // This process, and the first process of its namespace.
  'a secret file next to its folder': works(`fs.readFileSync(place + '/secret', 'utf8')`),
  'a secret file through a link': works(`fs.readFileSync(process.argv[1].replace('main.mjs', 'link'), 'utf8')`),
  'whether a secret file exists': hidden(`fs.statSync(place + '/secret').size`),
  'the shadow file': worksForRoot(`fs.readFileSync('/etc/shadow', 'utf8').length`),
  'the password file': works(`fs.readFileSync('/etc/passwd', 'utf8').length`),
  'the home directory': works(`fs.readdirSync(ports.home).length`),
  'the root folder': works(
    `fs.readdirSync('/').filter((name) => ['root', 'home', 'boot', 'var'].includes(name)).length`,
    [0],
  ),
  'the state of Reins in its folder': hidden(
    `fs.readFileSync(process.argv[1].replace('main.mjs', '.reins/secret'), 'utf8')`,
  ),
  'a file in its own folder': works(`fs.writeFileSync(process.argv[1].replace('main.mjs', 'written'), 'x')`),
  'its own code': works(`fs.appendFileSync(process.argv[1], '\\n')`),
  'a file next to its folder': works(`fs.writeFileSync(place + '/written', 'x')`),
  'a database in a file': works(
    `import('node:sqlite').then(({ DatabaseSync }) => new DatabaseSync(place + '/written.db').exec('create table t(x)'))`,
  ),
  'a link to a secret': works(
    `(fs.symlinkSync(place + '/secret', process.argv[1].replace('main.mjs', 'new-link')), 'linked')`,
  ),
  'the mode of a file': works(`fs.chmodSync(place + '/secret', 0o600)`),
  'the owner of a file': works(`fs.chownSync(place + '/secret', process.getuid(), process.getgid())`),
  'the times of a file': works(`fs.utimesSync(process.argv[1].replace('main.mjs', 'data.json'), 1, 1)`),
  'the name of a file': works(`fs.renameSync(place + '/moved', place + '/moved-away')`),
  'a device': fails(`fs.closeSync(fs.openSync('/dev/fuse', 'r+'))`),
  'a file in shared memory': works(`fs.writeFileSync('/dev/shm/reins-test', 'x')`),
  'the switch of the kernel': fails(`fs.closeSync(fs.openSync('/proc/sysrq-trigger', 'w'))`),
  'a file in the root folder': fails(`fs.writeFileSync('/proc/reins-test', 'x')`),
  'the settings of the kernel': worksForRoot(`fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'r+'))`),
  'the score of its parent for the killer': works(
    `fs.closeSync(fs.openSync('/proc/' + parent + '/oom_score_adj', 'r+'))`,
  ),
  'control groups': works(`fs.readdirSync('/sys/fs/cgroup').length`),
  'inherited descriptors': fails(
    `(() => { for (let fd = 3; fd < 300; fd += 1) { try { if (fs.fstatSync(fd).ino === ports.ino) return 'inherited'; } catch {} } throw new Error('none'); })()`,
  ),
  'the name of the host': hidden(`os.hostname()`, ['sandbox']),
  'what happens in another folder': works(`(fs.watch(place).close(), 'watching')`),
  'thousands of descriptors': fails(
    `(() => { for (let n = 0; n < 1000; n += 1) fs.openSync(process.argv[1], 'r'); return 'open'; })()`,
  ),
  'network interfaces': fails(
    `Object.keys(os.networkInterfaces()).length > 1 ? 'seen' : Promise.reject(new Error('none'))`,
  ),
  'a native addon': fails(`process.dlopen({ exports: {} }, place + '/secret')`),
  'a worker with its own limits': fails(
    `new Promise((resolve, reject) => new Worker('fetch("http://127.0.0.1:' + ports.tcp + '").then(() => require("worker_threads").parentPort.postMessage(1), (e) => { throw e; })', { eval: true }).on('message', resolve).on('error', reject))`,
  ),
  'another user': fails(`process.setuid(1)`), // Last, because it would drop privileges that later attacks need.
};

/** A module that runs all attacks in order and prints the outcome of each. */
export function attackingModule(): string {
  const lines = Object.entries(SYSTEM_ATTACKS).map(
    ([name, { code }]) => `await attempt(${JSON.stringify(name)}, async () => ${code});`,
  );
  return `${PRELUDE}
    const results = {};
    async function attempt(name, work) {
      const late = new Promise((_, reject) => setTimeout(reject, 2000, new Error('late')).unref());
      try { results[name] = { value: (await Promise.race([work(), late])) ?? 'done' }; } catch (error) { results[name] = { error: error.code ?? error.message }; }
    }
    process.on('uncaughtException', () => {});
    ${lines.join('\n    ')}
    fs.writeSync(1, JSON.stringify(results));
    process.exit(0);`;
}
