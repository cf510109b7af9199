import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ReinsError } from '@reins/contracts';
import { HarnessProcess, type ProcessEnd, sweepRun } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';
import type { Place } from '../client/server-spec.ts';
import { serviceEnvironment } from '../client/service-environment.ts';
import { errorTold } from '../told/error-told.ts';
import { whyIll } from './health.ts';

/** An application of a workspace, as its manifest describes it. */
export type ApplicationSpec = HostRequest['applications'][number];

export interface ApplicationPorts {
  readonly http: number;
  readonly mcp: number;
}

/** What an application is started with beside its manifest. */
export interface ApplicationWorld {
  /** `cwd` is the folder of the application. */
  readonly place: Place;
  readonly ports: ApplicationPorts;
  /** Whose work it does, as variables. */
  readonly caller: Readonly<Record<string, string>>;
  /** A variable of its contract; undefined where the installation does not have it. */
  readonly variable: (name: string) => string | undefined;
}

/** Where a manifest leaves its time empty. */
const HEALTHY_S = 60;
const SETUP_MS = 300_000;
const STOP_MS = 5000;
const LADDER = { protocolMs: 0, sigtermMs: 3000, sigkillMs: 2000 };

/** One running application: set up, started and found well; stopped by its own command, then by signals. */
export class Application {
  readonly #spec: ApplicationSpec;
  readonly #world: ApplicationWorld;
  #process: HarnessProcess | undefined;
  #ended: string | undefined;

  constructor(spec: ApplicationSpec, world: ApplicationWorld) {
    this.#spec = spec;
    this.#world = world;
  }

  /** @throws ReinsError `app_start_failed` when it does not come up well */
  async start(signal: AbortSignal): Promise<void> {
    const { setup, start } = this.#spec.lifecycle;
    if (setup !== '') await this.#setUp(setup, signal);
    const command = start || this.#spec.start_command;
    // One without a command is there already, on the port of its manifest.
    if (command !== '') this.#begin(command);
    const why = await this.#whyIll(signal);
    if (why !== undefined) throw this.#failed(why);
  }

  /** The port of its MCP server. */
  get mcpPort(): number {
    return this.#starts ? this.#world.ports.mcp : this.#spec.mcp.port;
  }

  /** Ends it with everything that it started. Never rejects. */
  async stop(): Promise<void> {
    if (!this.#process) return;
    const { stop } = this.#spec.lifecycle;
    if (stop !== '' && this.#ended === undefined)
      await this.#endOf(this.#run(stop), STOP_MS, AbortSignal.timeout(STOP_MS));
    await this.#process.stop();
  }

  get #starts(): boolean {
    return (this.#spec.lifecycle.start || this.#spec.start_command) !== '';
  }

  async #setUp(command: string, signal: AbortSignal): Promise<void> {
    const process = this.#run(command);
    const end = await this.#endOf(process, SETUP_MS, signal);
    signal.throwIfAborted();
    if (end?.code !== 0) throw this.#failed(`its setup ${howOf(end)}${this.#saidBy(process)}`);
  }

  #begin(command: string): void {
    const process = this.#run(command);
    this.#process = process;
    void process.gone.then((end) => {
      this.#ended = `it ${howOf(end)}${this.#saidBy(process)}`;
    });
  }

  /** Until it is well, or gone, or out of time. */
  async #whyIll(signal: AbortSignal): Promise<string | undefined> {
    const { health_check: check } = this.#spec;
    const port = check.target === 'api' && this.#starts ? this.#world.ports.http : this.mcpPort;
    const path = check.path.startsWith('/') ? check.path : `/${check.path}`;
    const over = new AbortController();
    void this.#process?.gone.then(() => over.abort());
    const timing = { withinMs: (check.timeout_s || HEALTHY_S) * 1000, everyMs: Math.max(100, check.interval_s * 1000) };
    const url = `http://localhost:${port}${path}`;
    const why = await whyIll({ url, ...timing }, AbortSignal.any([signal, over.signal])).catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
      return 'it ended';
    });
    signal.throwIfAborted();
    return why === undefined ? undefined : (this.#ended ?? why);
  }

  /** Bounded; undefined when it had to be ended. */
  async #endOf(process: HarnessProcess, withinMs: number, signal: AbortSignal): Promise<ProcessEnd | undefined> {
    const over = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    const late = new Promise<undefined>((resolve) => over.addEventListener('abort', () => resolve(undefined)));
    const end = over.aborted ? undefined : await Promise.race([process.gone, late]);
    if (!end) await process.stop();
    return end;
  }

  #run(command: string): HarnessProcess {
    const { place } = this.#world;
    const runToken = place.newToken();
    place.onProcess?.({ runToken, kill: () => void sweepRun(runToken) });
    return new HarnessProcess(
      {
        command: '/bin/sh',
        args: ['-c', command],
        cwd: place.cwd,
        environment: serviceEnvironment(place, runToken, this.#environment()),
        runToken,
        takesInput: false,
        ladder: LADDER,
      },
      { line: () => undefined, lineTooLong: () => undefined },
    );
  }

  #environment(): Record<string, string> {
    const { ports, caller, variable } = this.#world;
    const contract = this.#spec.env_contract.flatMap((name) => {
      const value = variable(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { ...caller, ...Object.fromEntries(contract), PORT: String(ports.http), MCP_PORT: String(ports.mcp) };
  }

  #saidBy(process: HarnessProcess): string {
    const said = errorTold(process.stderr, this.#world.place);
    return said === '' ? '' : `: ${said}`;
  }

  #failed(why: string): ReinsError {
    const { caller, variable } = this.#world;
    const missing = this.#spec.env_contract.filter((name) => variable(name) === undefined && !(name in caller));
    const unset = missing.length === 0 ? '' : `; of its contract this host does not have: ${missing.join(', ')}`;
    return new ReinsError({ code: 'app_start_failed', message: `application '${this.#spec.app_id}': ${why}${unset}` });
  }
}

/** The home that its processes use. */
export async function makeHome(homeDir: string): Promise<void> {
  await mkdir(join(homeDir, 'tmp'), { recursive: true });
}

function howOf(end: ProcessEnd | undefined): string {
  if (!end) return 'took too long';
  return end.error ? `could not be started: ${end.error.message}` : `ended (${end.signal ?? `code ${end.code}`})`;
}
