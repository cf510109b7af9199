import { resolve } from 'node:path';
import { ReinsError } from '@reins/contracts';
import { isFreePort } from '@reins/embedded';
import type { PartExit, ServiceProcess, System, SystemOptions } from './api.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { natsLauncher, postgresLauncher } from './parts.ts';
import { claimStateDir, forgetOwners, type RunFile, writeRunFile } from './run-file.ts';
import { launchService } from './service-process.ts';
import { type Launch, type Launched, Supervised } from './supervised.ts';

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;

/**
 * Starts NATS and Postgres (unless REINS_NATS_URL or REINS_DATABASE_URL name others), then the services, and keeps all of
 * them running until `stop`. Nothing outlives this process, even when it is killed.
 * @throws ReinsError when a part cannot be started; what was started is stopped before
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const stateDir = resolve(options.dir);
  const last = await claimStateDir(stateDir);
  const building = new Building({ ...options, dir: stateDir }, last);
  try {
    return await building.build();
  } catch (error) {
    await building.stop();
    throw error;
  }
}

/** A system while it is built, and what remains of it afterwards: its parts. */
class Building {
  readonly #options: SystemOptions;
  readonly #last: RunFile | undefined;
  readonly #log: (line: string) => void;
  readonly #servers: Supervised[] = [];
  readonly #services: Supervised[] = [];
  readonly #files: LogFile[] = [];
  readonly #listeners = new Set<(exit: PartExit) => void>();
  #running: RunFile = { pid: process.pid, owners: [] };
  #stopped: Promise<void> | undefined;
  #told: Promise<void> = Promise.resolve();

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
    await this.#tell({});
    const [natsUrl = '', databaseUrl = ''] = await all([this.#nats(), this.#postgres()]);
    await this.#tell({ natsUrl, databaseUrl });
    await this.#startServices(natsUrl, databaseUrl);
    return {
      natsUrl,
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

  stop(): Promise<void> {
    this.#stopped ??= this.#stopInOrder();
    return this.#stopped;
  }

  async #stopInOrder(): Promise<void> {
    await Promise.all(this.#services.map((part) => part.stop()));
    await Promise.all(this.#servers.map((part) => part.stop()));
    await Promise.all(this.#files.map((file) => file.close()));
    await forgetOwners(this.#options.dir);
  }

  async #nats(): Promise<string> {
    const external = this.#options.env.REINS_NATS_URL;
    if (external) return external;
    const { file, supervise } = this.#server('nats');
    const launch = await natsLauncher({ ...this.#embedded, file });
    let port = await usable(this.#last?.natsPort);
    let url = '';
    await supervise(async () => {
      const server = await launch(port);
      ({ port, url } = server);
      await this.#tell({ natsPort: port });
      return server;
    });
    return url;
  }

  async #postgres(): Promise<string> {
    const external = this.#options.env.REINS_DATABASE_URL;
    if (external) return external;
    const { file, supervise } = this.#server('postgres');
    const launch = postgresLauncher({ ...this.#embedded, file });
    let port = await usable(this.#last?.postgresPort);
    let url = '';
    await supervise(async () => {
      const server = await launch(port);
      ({ port, databaseUrl: url } = server);
      await this.#tell({ postgresPort: port });
      return server;
    });
    return url;
  }

  /** A part whose process owns files of the state folder. */
  #server(name: string): { file: LogFile; supervise: (launch: () => Promise<Launched>) => Promise<void> } {
    const file = this.#open(name);
    const supervise = async (launch: () => Promise<Launched>): Promise<void> => {
      const owning = async (): Promise<Launched> => {
        const launched = await launch();
        try {
          await this.#tell({ owners: [...this.#running.owners, launched.pid] });
          return launched;
        } catch (error) {
          await launched.stop();
          throw error;
        }
      };
      const part = this.#supervised(name, owning);
      await part.start();
      this.#servers.push(part);
    };
    return { file, supervise };
  }

  async #startServices(natsUrl: string, databaseUrl: string): Promise<void> {
    const { env, services } = this.#options;
    const common = { ...env, REINS_NATS_URL: natsUrl, REINS_DATABASE_URL: databaseUrl };
    const parts = services.map((service) => this.#service(service, { ...common, ...service.env }));
    this.#services.push(...parts);
    // The first failure is the one to tell: the others may only have waited for the part that failed.
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
    const { readyWithinMs = READY_WITHIN_MS, stopWithinMs = STOP_WITHIN_MS } = this.#options;
    return this.#supervised(service.name, (cancelled, start, begun) =>
      launchService({
        service,
        env,
        cwd: process.cwd(),
        readyWithinMs: start === 'first' ? readyWithinMs : Number.POSITIVE_INFINITY,
        stopWithinMs,
        onLine: file.write,
        cancelled,
        begun,
      }),
    );
  }

  #supervised(name: string, launch: Launch): Supervised {
    return new Supervised({
      name,
      launch,
      log: this.#log,
      stopWithinMs: this.#options.stopWithinMs ?? STOP_WITHIN_MS,
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

  /** One write after the other: NATS and Postgres start at the same time. */
  #tell(news: Partial<RunFile>): Promise<void> {
    this.#running = { ...this.#running, ...news };
    const content = this.#running;
    this.#told = this.#told.catch(() => {}).then(() => writeRunFile(this.#options.dir, content));
    return this.#told;
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
    throw new ReinsError({ code: 'wrong_usage', message: `no part is called ${name}; there are ${known}`, path: name });
  }
}

/** The port of the last start, so that an installation keeps its addresses; undefined (any) when somebody else has it. */
async function usable(port: number | undefined): Promise<number | undefined> {
  return port !== undefined && (await isFreePort(port)) ? port : undefined;
}

/** Waits for all before it fails with the first failure, so that nothing is still starting while everything is stopped. */
async function all<T>(starts: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(starts);
  return Promise.all(starts);
}
