import { createInterface } from 'node:readline';
import { ReinsError } from '@reins/contracts';
import { GuardedProcess } from '@reins/embedded';
import type { ServiceProcess } from './api.ts';
import type { Launched } from './supervised.ts';

export interface LaunchServiceOptions {
  readonly service: ServiceProcess;
  /** The complete environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly readyWithinMs: number;
  readonly stopWithinMs: number;
  readonly onLine: (line: string) => void;
  readonly cancelled: AbortSignal;
  /** Called with the process as soon as it has started, before it is ready. */
  readonly onStarted: (process: Launched) => void;
}

const PROBE_INTERVAL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;
const LAST_LINES = 8;

/** Starts a process with services. Resolves when all of them are ready. @throws ReinsError `service_unavailable` */
export async function launchService(options: LaunchServiceOptions): Promise<Launched> {
  const { service } = options;
  const child = await GuardedProcess.start({
    command: process.execPath,
    args: [service.main, ...(service.args ?? [])],
    cwd: options.cwd,
    env: options.env,
  });
  options.onStarted(child);
  const lastLines: string[] = [];
  const errors: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      if (lastLines.push(line) > LAST_LINES) lastLines.shift();
      const error = errorIn(line);
      if (error !== undefined && errors.push(error) > LAST_LINES) errors.shift();
      options.onLine(line);
    });
  }
  const problem = await untilReady(child, options);
  if (problem === undefined) return child;
  const message = `${service.name} ${problem}: ${(errors.length > 0 ? errors : lastLines).join(' | ') || 'no output'}`;
  await child.stop(options.stopWithinMs);
  throw new ReinsError({ code: 'service_unavailable', message, path: service.name });
}

/** Waits until the process is ready. Returns undefined, or the reason why it is not. */
async function untilReady(child: GuardedProcess, options: LaunchServiceOptions): Promise<string | undefined> {
  const deadline = performance.now() + options.readyWithinMs;
  const pending = new Set(options.service.readyUrls);
  let lastProblem = '';
  for (;;) {
    if (child.exit) return `ended with ${child.exit.signal ?? `code ${child.exit.code}`}`;
    if (options.cancelled.aborted) return 'was cancelled';
    for (const url of pending) {
      const status = await probe(url);
      if (status === 'ready') pending.delete(url);
      else lastProblem = `${url}: ${status}`;
    }
    if (pending.size === 0) return undefined;
    if (performance.now() > deadline) return `was not ready within ${options.readyWithinMs} ms (${lastProblem})`;
    await Promise.race([child.exited, new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS))]);
  }
}

async function probe(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const body = await response.text();
    return response.ok ? 'ready' : `${response.status} ${body.slice(0, 300)}`;
  } catch {
    return 'no response';
  }
}

/** The error message in a log line; undefined for other lines. Errors explain a failed start better than the last lines. */
function errorIn(line: string): string | undefined {
  if (!line.includes('"level":"error"')) return undefined;
  try {
    const { msg, hint } = JSON.parse(line) as { msg?: string; hint?: string };
    return hint ? `${msg} (${hint})` : msg;
  } catch {
    return line;
  }
}
