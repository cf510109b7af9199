import { resolve } from 'node:path';
import { defined, ReinsError } from '@reins/contracts';
import { isFreePort } from '@reins/embedded';
import type { PartExit, ServiceProcess, System, SystemOptions } from './api.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { provisionNats } from './nats-topology.ts';
import { type NatsUsers, operatorOf, provideNatsUsers } from './nats-users.ts';
import { natsLauncher, postgresLauncher } from './parts.ts';
import { claimStateDir, forgetOwners, type RunFile, writeRunFile } from './run-file.ts';
import { launchService } from './service-process.ts';
import { type Launch, type Launched, Supervised } from './supervised.ts';

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

/**
 * Starts NATS and Postgres (unless REINS_NATS_URL or REINS_DATABASE_URL is set), then the services, and keeps all of them running until
 * `stop`. No child outlives this process, even when it is killed.
 * @throws ReinsError when a part cannot be started, or the reason of the aborted signal; started parts are stopped first
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const stateDir = resolve(options.dir);
  const last = await claimStateDir(stateDir);
  const builder = new SystemBuilder({ ...options, dir: stateDir }, last);
  const { signal } = options;
  const cancel = (): void => builder.cancel();
  signal?.addEventListener('abort', cancel);
  try {
    return await builder.build();
  } catch (error) {
    await builder.stop();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** Builds a system and manages its parts. */
class SystemBuilder {
  readonly #options: SystemOptions;
  readonly #last: RunFile | undefined;
  readonly #log: (line: string) => void;
  readonly #servers: Supervised[] = [];
  readonly #services: Supervised[] = [];
  readonly #files: LogFile[] = [];
  readonly #listeners = new Set<(exit: PartExit) => void>();
  #running: RunFile = { pid: process.pid, owners: [] };
  #users: NatsUsers | undefined;
  #stopped: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(options: SystemOptions, last: RunFile | undefined) {
    this.#options = options;
    this.#last = last;
    const file = this.#open('supervisor');
    this.#log = (line) => {
      file.write(`${new Date().toISOString()} ${line}`);
      options.log(line);
    };
  }

  async build(): Promise<System> {
    await this.#updateRunFile({});
    const [natsUrl = '', databaseUrl = ''] = await allStarted([this.#nats(), this.#postgres()]);
    await this.#updateRunFile(defined({ natsUrl, natsUsersDir: this.#users?.dir, databaseUrl }));
    this.#options.signal?.throwIfAborted();
    await refuseTakenPorts(this.#options.services);
    this.#options.signal?.throwIfAborted();
    await this.#startServices(natsUrl, databaseUrl);
    return {
      natsUrl,
      natsOperator: this.#users && operatorOf(this.#users),
      natsUsersDir: this.#users?.dir,
      databaseUrl,
      status: () => this.#parts.map((part) => part.status),
      kill: (name) => this.#part(name).kill(),
      hold: (name) => this.#part(name).hold(),
      ready: (name) => this.#part(name).ready(),
      onExit: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      stop: () => this.stop(),
    };
  }

  /** Ends the start: services that are not ready yet are stopped. */
  cancel(): void {
    for (const part of this.#parts) part.cancel();
    void this.#recordStopping(this.#parts);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopInOrder();
    return this.#stopped;
  }

  async #stopInOrder(): Promise<void> {
    const left = new Set(this.#parts);
    const stop = async (part: Supervised): Promise<void> => {
      await part.stop();
      left.delete(part);
      await this.#recordStopping(left);
    };
    await this.#recordStopping(left);
    await Promise.all(this.#services.map(stop));
    await Promise.all(this.#servers.map(stop));
    await Promise.all(this.#files.map((file) => file.close()));
    await forgetOwners(this.#options.dir);
  }

  async #nats(): Promise<string> {
    const { env, topology } = this.#options;
    if (env.REINS_NATS_URL) return env.REINS_NATS_URL;
    const { file, supervise } = this.#server('nats');
    const users = await provideNatsUsers(this.#options.dir, topology.runtimeIds);
    this.#users = users;
    const launch = await natsLauncher({ ...this.#embedded, file }, users.config);
    let port = await reusablePort(this.#last?.natsPort);
    let url = '';
    await supervise(async () => {
      const server = await launch(port);
      ({ port, url } = server);
      try {
        await provisionNats({ url, operator: operatorOf(users), topology, log: file.write });
        await this.#updateRunFile({ natsPort: port });
        return server;
      } catch (error) {
        await server.stop();
        throw error;
      }
    });
    return url;
  }

  async #postgres(): Promise<string> {
    const external = this.#options.env.REINS_DATABASE_URL;
    if (external) return external;
    const { file, supervise } = this.#server('postgres');
    const launch = postgresLauncher({ ...this.#embedded, file });
    let port = await reusablePort(this.#last?.postgresPort);
    let url = '';
    await supervise(async () => {
      const server = await launch(port);
      ({ port, databaseUrl: url } = server);
      await this.#updateRunFile({ postgresPort: port });
      return server;
    });
    return url;
  }

  /** Prepares a part whose process owns files in the state folder. */
  #server(name: string): { file: LogFile; supervise: (launch: () => Promise<Launched>) => Promise<void> } {
    const file = this.#open(name);
    const supervise = async (launch: () => Promise<Launched>): Promise<void> => {
      const launchAndRecord = async (): Promise<Launched> => {
        const launched = await launch();
        try {
          await this.#updateRunFile({ owners: [...this.#running.owners, launched.pid] });
          return launched;
        } catch (error) {
          await launched.stop();
          throw error;
        }
      };
      const part = this.#supervised(name, launchAndRecord);
      await part.start();
      this.#servers.push(part);
    };
    return { file, supervise };
  }

  async #startServices(natsUrl: string, databaseUrl: string): Promise<void> {
    const { env, services } = this.#options;
    const common = {
      ...env,
      REINS_NATS_URL: natsUrl,
      ...(this.#users && { REINS_NATS_USERS_DIR: this.#users.dir, REINS_NATS_MANAGED: 'supervisor' }),
      REINS_DATABASE_URL: databaseUrl,
    };
    const parts = services.map((service) =>
      this.#service(service, { ...(service.isProgram ? {} : common), ...service.env }),
    );
    this.#services.push(...parts);
    // Reports the first failure: the other services may only have waited for the one that failed.
    const failures: unknown[] = [];
    const start = async (part: Supervised): Promise<void> => {
      await part.start().catch((error: unknown) => {
        failures.push(error);
        for (const other of parts) other.cancel();
      });
    };
    await Promise.all(parts.map(start));
    if (failures.length > 0) throw failures[0];
  }

  #service(service: ServiceProcess, env: NodeJS.ProcessEnv): Supervised {
    const file = this.#open(service.name);
    const { readyWithinMs = READY_TIMEOUT_MS, stopWithinMs = STOP_TIMEOUT_MS } = this.#options;
    return this.#supervised(service.name, (cancelled, start, onStarted) =>
      launchService({
        service,
        env,
        cwd: process.cwd(),
        readyWithinMs: start === 'first' ? readyWithinMs : Number.POSITIVE_INFINITY,
        stopWithinMs,
        onLine: file.write,
        logPath: file.path,
        onNotReady: (reason, waitedMs) =>
          this.#log(`${service.name} is not ready yet (${Math.round(waitedMs / 1000)} s): ${reason}`),
        cancelled,
        onStarted,
      }),
    );
  }

  #supervised(name: string, launch: Launch): Supervised {
    return new Supervised({
      name,
      launch,
      log: this.#log,
      stopWithinMs: this.#options.stopWithinMs ?? STOP_TIMEOUT_MS,
      onExit: (exit) => {
        for (const listener of this.#listeners) listener(exit);
      },
    });
  }

  #open(name: string): LogFile {
    const file = openLogFile(this.#options.dir, name);
    this.#files.push(file);
    return file;
  }

  /** For the command that waits for the end. A full disk must not prevent the end. */
  async #recordStopping(parts: Iterable<Supervised>): Promise<void> {
    await this.#updateRunFile({ stopping: Array.from(parts, ({ name }) => name) }).catch(() => undefined);
  }

  /** Writes the run file. Serializes the writes, because NATS and Postgres start concurrently. */
  #updateRunFile(changes: Partial<RunFile>): Promise<void> {
    this.#running = { ...this.#running, ...changes };
    const content = this.#running;
    this.#lastWrite = this.#lastWrite.catch(() => {}).then(() => writeRunFile(this.#options.dir, content));
    return this.#lastWrite;
  }

  get #embedded() {
    const { dir: stateDir, env } = this.#options;
    return { stateDir, env, log: this.#log };
  }

  get #parts(): Supervised[] {
    return [...this.#servers, ...this.#services];
  }

  #part(name: string): Supervised {
    const part = this.#parts.find((each) => each.name === name);
    if (part) return part;
    const known = this.#parts.map((each) => each.name).join(', ');
    throw new ReinsError({ code: 'wrong_usage', message: `unknown part ${name}; use one of ${known}`, path: name });
  }
}

/**
 * Another system on these ports would count as ready in place of our services.
 * @throws ReinsError `port_in_use`
 */
async function refuseTakenPorts(services: readonly ServiceProcess[]): Promise<void> {
  for (const { name, readyUrls } of services)
    for (const url of readyUrls) {
      const port = Number(new URL(url).port);
      if (await isFreePort(port)) continue;
      const hint = 'Stop that process, or set http.portBase (REINS_HTTP_PORT_BASE) to another range of free ports.';
      const message = `another process listens on port ${port}, which ${name} needs`;
      throw new ReinsError({ code: 'port_in_use', message, path: 'http.portBase', hint });
    }
}

/** The port of the last start, so that addresses stay the same; undefined (any port) when it is in use. */
async function reusablePort(port: number | undefined): Promise<number | undefined> {
  return port !== undefined && (await isFreePort(port)) ? port : undefined;
}

/** Waits for all starts before it throws the first failure, so that no part is still starting during the stop. */
async function allStarted<T>(starts: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(starts);
  return Promise.all(starts);
}
