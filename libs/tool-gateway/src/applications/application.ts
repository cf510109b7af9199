import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ReinsError } from '@reins/contracts';
import { HarnessProcess, type ProcessExit, type ProcessNetwork, sweepRun } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';
import type { ProcessContext } from '../client/server-spec.ts';
import { serviceEnvironment } from '../client/service-environment.ts';
import { socketFetch } from '../client/socket-fetch.ts';
import { errorExcerpt } from '../errors/error-excerpt.ts';
import type { SetupCache } from '../setups/setup-cache.ts';
import { waitForHealth } from './health.ts';

/** An application of a workspace, as its manifest describes it. */
export type ApplicationSpec = HostRequest['applications'][number];

/** The two ports of an application, or something for each of them. */
export interface ApplicationPorts<T = number> {
  readonly http: T;
  readonly mcp: T;
}

/** What an application needs in addition to its manifest. */
export interface ApplicationContext {
  /** Its `cwd` is the folder of the application. */
  readonly processContext: ProcessContext;
  /** The copy of the tree in which it runs. */
  readonly copyDir: string;
  readonly ports: ApplicationPorts;
  /**
   * The Unix sockets by which this host reaches the ports, in a folder that the application does not see. They are used
   * if its network is restricted.
   */
  readonly sockets: ApplicationPorts<string>;
  /** Variables that identify the run. */
  readonly caller: Readonly<Record<string, string>>;
  /** Returns a variable of the application's `env_contract`; undefined when the installation does not have it. */
  readonly variable: (name: string) => string | undefined;
  /** The results of setups. Absent: each setup runs in the folder of the application. */
  readonly setups?: Pick<SetupCache, 'apply'> | undefined;
}

type PortSockets = ProcessNetwork['doors'];

/** The ports on which a command listens for the host, and those to which it can connect. */
interface CommandPorts {
  readonly served?: PortSockets;
  readonly doors?: PortSockets;
}

/** The default timeout of a health check. */
const HEALTHY_S = 60;
const SETUP_MS = 300_000;
const STOP_MS = 15_000;
const SHUTDOWN_TIMEOUTS = { protocolMs: 0, sigtermMs: 10_000, sigkillMs: 2000 };

/** One application: set up, started and health-checked. Stopped by its stop command, then by signals. */
export class Application {
  readonly #spec: ApplicationSpec;
  readonly #context: ApplicationContext;
  #process: HarnessProcess | undefined;
  #exitReason: string | undefined;
  #isHealthy = false;

  constructor(spec: ApplicationSpec, context: ApplicationContext) {
    this.#spec = spec;
    this.#context = context;
  }

  /** @throws ReinsError `app_start_failed` when the application does not become healthy */
  async start(signal: AbortSignal): Promise<void> {
    const { setup, start } = this.#spec.lifecycle;
    if (this.#context.processContext.sandbox?.network && !this.#hasStartCommand)
      throw this.#startFailure('it has no start command, so host.servicesNetwork cannot restrict it');
    if (this.#hasOwnNetwork && this.#context.processContext.sandbox?.isolation.backend !== 'bubblewrap')
      throw this.#startFailure('applications need bubblewrap when host.servicesNetwork is restricted');
    if (setup !== '') await this.#setUp(setup, signal);
    const command = start || this.#spec.start_command;
    // An application without a start command is already running, on the port of its manifest.
    if (command !== '') this.#startProcess(command);
    const reason = await this.#waitForHealth(signal);
    if (reason !== undefined) throw this.#startFailure(reason);
    this.#isHealthy = true;
  }

  /** Whether it has started and has not exited since. */
  get isUp(): boolean {
    return this.#isHealthy && this.#exitReason === undefined;
  }

  /** The port of the application's MCP server. */
  get mcpPort(): number {
    return this.#hasStartCommand ? this.#context.ports.mcp : this.#spec.mcp.port;
  }

  /** The Unix socket of its MCP server. Undefined: the host connects to the port. */
  get mcpSocket(): string | undefined {
    return this.#hasOwnNetwork ? this.#context.sockets.mcp : undefined;
  }

  /** Stops the application and everything that it started. Never rejects. */
  async stop(): Promise<void> {
    this.#isHealthy = false;
    if (!this.#process) return;
    const { stop } = this.#spec.lifecycle;
    // In a sandbox, the start of the command may throw. The signals stop the application anyway.
    if (stop !== '' && this.#exitReason === undefined) await this.#runStop(stop).catch(() => undefined);
    await this.#process.stop();
  }

  async #runStop(command: string): Promise<void> {
    // It has a network of its own, and may call the application.
    const process = this.#run(command, { doors: this.#served });
    await this.#waitForExit(process, STOP_MS, AbortSignal.timeout(STOP_MS));
  }

  /** The host cannot connect to its ports. */
  get #hasOwnNetwork(): boolean {
    return this.#hasStartCommand && this.#context.processContext.sandbox?.network !== undefined;
  }

  get #served(): PortSockets {
    const { ports, sockets } = this.#context;
    const named = (['http', 'mcp'] as const).map((name) => ({ port: ports[name], socket: sockets[name] }));
    return this.#hasOwnNetwork ? named : [];
  }

  get #hasStartCommand(): boolean {
    return (this.#spec.lifecycle.start || this.#spec.start_command) !== '';
  }

  async #setUp(command: string, signal: AbortSignal): Promise<void> {
    const { setups, processContext, caller } = this.#context;
    const { cwd: folder, homeDir } = processContext;
    const workspaceId = caller.REINS_WORKSPACE_ID ?? '';
    const request = {
      workspaceId,
      appId: this.#spec.app_id,
      command,
      folder,
      tree: this.#context.copyDir,
      homeDir,
      environment: this.#contract(),
    };
    if (await setups?.apply(request, signal)) return;
    const process = this.#run(command);
    const exit = await this.#waitForExit(process, SETUP_MS, signal);
    signal.throwIfAborted();
    if (exit?.code !== 0) throw this.#startFailure(`its setup ${describeExit(exit)}${this.#stderrOf(process)}`);
  }

  #startProcess(command: string): void {
    const process = this.#run(command, { served: this.#served });
    this.#process = process;
    void process.exited.then((exit) => {
      this.#exitReason = `it ${describeExit(exit)}${this.#stderrOf(process)}`;
    });
  }

  /** Waits until the application is healthy, has exited, or has timed out. Returns why it is not healthy. */
  async #waitForHealth(signal: AbortSignal): Promise<string | undefined> {
    const { health_check: check } = this.#spec;
    const isApi = check.target === 'api' && this.#hasStartCommand;
    const port = isApi ? this.#context.ports.http : this.mcpPort;
    const socket = isApi && this.#hasOwnNetwork ? this.#context.sockets.http : this.mcpSocket;
    const path = check.path.startsWith('/') ? check.path : `/${check.path}`;
    const exited = new AbortController();
    void this.#process?.exited.then(() => exited.abort());
    const timing = {
      timeoutMs: (check.timeout_s || HEALTHY_S) * 1000,
      intervalMs: Math.max(100, check.interval_s * 1000),
    };
    const url = `http://localhost:${port}${path}`;
    const target = { url, fetch: socket === undefined ? fetch : socketFetch(socket) };
    const reason = await waitForHealth({ ...target, ...timing }, AbortSignal.any([signal, exited.signal])).catch(
      (error: unknown) => {
        if (!exited.signal.aborted) throw error;
        return 'it exited';
      },
    );
    signal.throwIfAborted();
    return reason === undefined ? undefined : (this.#exitReason ?? reason);
  }

  /** Waits for the exit within a limit. Stops the process and returns undefined when the limit is exceeded. */
  async #waitForExit(
    process: HarnessProcess,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<ProcessExit | undefined> {
    const aborted = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const timeout = new Promise<undefined>((resolve) => aborted.addEventListener('abort', () => resolve(undefined)));
    const exit = aborted.aborted ? undefined : await Promise.race([process.exited, timeout]);
    if (!exit) await process.stop();
    return exit;
  }

  #run(command: string, { served, doors = [] }: CommandPorts = {}): HarnessProcess {
    const { processContext } = this.#context;
    const { sandbox } = processContext;
    const network = sandbox?.network && { ...sandbox.network, doors: [...sandbox.network.doors, ...doors] };
    const runToken = processContext.newToken();
    processContext.onProcess?.({ runToken, kill: () => void sweepRun(runToken) });
    return new HarnessProcess(
      {
        command: '/bin/sh',
        args: ['-c', command],
        cwd: processContext.cwd,
        environment: serviceEnvironment(processContext, runToken, this.#environment()),
        runToken,
        sandbox: sandbox && { ...sandbox, network },
        ...(served !== undefined && { served }),
        writable: [...processContext.trees, processContext.homeDir],
        takesInput: false,
        shutdownTimeouts: SHUTDOWN_TIMEOUTS,
      },
      { line: () => undefined, lineTooLong: () => undefined },
    );
  }

  #environment(): Record<string, string> {
    const { ports, caller } = this.#context;
    return { ...caller, ...this.#contract(), PORT: String(ports.http), MCP_PORT: String(ports.mcp) };
  }

  /** The variables of its `env_contract` that the installation has. */
  #contract(): Record<string, string> {
    const entries = this.#spec.env_contract.flatMap((name) => {
      const value = this.#context.variable(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(entries);
  }

  #stderrOf(process: HarnessProcess): string {
    const excerpt = errorExcerpt(process.stderr, this.#context.processContext);
    return excerpt === '' ? '' : `: ${excerpt}`;
  }

  #startFailure(reason: string): ReinsError {
    const { caller, variable } = this.#context;
    const missing = this.#spec.env_contract.filter((name) => variable(name) === undefined && !(name in caller));
    const unset =
      missing.length === 0 ? '' : `; this host lacks the variables ${missing.join(', ')} of its env_contract`;
    return new ReinsError({
      code: 'app_start_failed',
      message: `application '${this.#spec.app_id}': ${reason}${unset}`,
    });
  }
}

/** Creates the home directory for the processes of applications. */
export async function makeHome(homeDir: string): Promise<void> {
  await mkdir(join(homeDir, 'tmp'), { recursive: true });
}

function describeExit(exit: ProcessExit | undefined): string {
  if (!exit) return 'timed out';
  return exit.error ? `could not be started: ${exit.error.message}` : `exited (${exit.signal ?? `code ${exit.code}`})`;
}
