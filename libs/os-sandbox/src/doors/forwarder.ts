/**
 * The first process in a sandbox with doors or served ports. It listens on the ports of doors, and forwards connections
 * to their Unix sockets. It accepts the connections of the host, and forwards them to the served ports. It starts the
 * command with its own descriptors, passes on signals, and ends as the command ends. It has neither the environment of
 * the command nor any secret, because the command can read its memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, readFileSync } from 'node:fs';
import { connect, createServer, type LookupFunction, type Socket } from 'node:net';

interface Settings {
  readonly doors: readonly { readonly port: number; readonly socket: string }[];
  readonly served: readonly { readonly port: number; readonly listener: number }[];
  readonly descriptors: number;
  readonly environment: number;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;
/** The exit codes of a shell for a program that does not exist, and for one that cannot be started. */
const NOT_FOUND = 127;
const NOT_STARTED = 126;

const [, , text = '', command = '', ...args] = process.argv;
const settings = JSON.parse(text) as Settings;
const env = environmentFrom(settings.environment);
await Promise.all([...settings.doors.map(open), ...settings.served.map(serve)]);
follow(spawn(command, args, { env, stdio: Array.from({ length: settings.descriptors }, (_, at) => at) }));

async function open({ port, socket }: Settings['doors'][number]): Promise<void> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (inside) =>
    join(inside, connect({ path: socket, allowHalfOpen: true })),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

/** A server may listen on only one of these addresses. */
const LOOPBACK: LookupFunction = (_name, _options, found) =>
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);

async function serve({ port, listener }: Settings['served'][number]): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (outside) =>
    join(connect({ port, host: 'localhost', lookup: LOOPBACK, allowHalfOpen: true, noDelay: true }), outside),
  );
  server.listen({ fd: listener });
  await once(server, 'listening');
}

function join(inside: Socket, outside: Socket): void {
  for (const [from, to] of [
    [inside, outside],
    [outside, inside],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroySoon());
    from.pipe(to);
  }
}

function environmentFrom(descriptor: number): Record<string, string> {
  const entries = readFileSync(descriptor, 'utf8').split('\0').slice(0, -1);
  closeSync(descriptor);
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

function follow(child: ChildProcess): void {
  for (const name of SIGNALS) process.on(name, () => child.kill(name));
  child.once('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(`${command}: ${error.message}\n`);
    process.exit(error.code === 'ENOENT' ? NOT_FOUND : NOT_STARTED);
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 0);
    for (const name of SIGNALS) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
