import { createInterface } from 'node:readline';
import { ReinsError } from '@reins/contracts';
import { GuardedProcess } from '@reins/embedded';
import type { ServiceProcess } from './api.ts';
import type { Launched } from './supervised.ts';

export interface LaunchServiceOptions {
  readonly service: ServiceProcess;
  /** The whole environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly readyWithinMs: number;
  readonly stopWithinMs: number;
  readonly onLine: (line: string) => void;
  readonly cancelled: AbortSignal;
  /** Told of the process before it takes work. */
  readonly begun: (process: Launched) => void;
}

const LOOK_EVERY_MS = 50;
const LOOK_WITHIN_MS = 2_000;
const LAST_LINES = 8;

/** Starts a process of services; resolves when all of them say that they take work. */
export async function launchService(options: LaunchServiceOptions): Promise<Launched> {
  const { service } = options;
  const child = await GuardedProcess.start({
    command: process.execPath,
    args: [service.main, ...(service.args ?? [])],
    cwd: options.cwd,
    env: options.env,
  });
  options.begun(child);
  const last: string[] = [];
  const errors: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      if (last.push(line) > LAST_LINES) last.shift();
      const error = errorIn(line);
      if (error !== undefined && errors.push(error) > LAST_LINES) errors.shift();
      options.onLine(line);
    });
  }
  const problem = await untilReady(child, options);
  if (problem === undefined) return child;
  const message = `${service.name} ${problem}: ${(errors.length > 0 ? errors : last).join(' | ') || 'it said nothing'}`;
  await child.stop(options.stopWithinMs);
  throw new ReinsError({ code: 'service_unavailable', message, path: service.name });
}

/** What kept it from becoming ready, or undefined. */
async function untilReady(child: GuardedProcess, options: LaunchServiceOptions): Promise<string | undefined> {
  const giveUpAt = performance.now() + options.readyWithinMs;
  const waiting = new Set(options.service.readyUrls);
  let said = '';
  for (;;) {
    if (child.exit) return `ended with ${child.exit.signal ?? `code ${child.exit.code}`}`;
    if (options.cancelled.aborted) return 'is not wanted any more';
    for (const url of waiting) {
      const answer = await look(url);
      if (answer === 'ready') waiting.delete(url);
      else said = `${url}: ${answer}`;
    }
    if (waiting.size === 0) return undefined;
    if (performance.now() > giveUpAt) return `was not ready within ${options.readyWithinMs} ms (${said})`;
    await Promise.race([child.exited, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))]);
  }
}

async function look(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LOOK_WITHIN_MS) });
    const body = await response.text();
    return response.ok ? 'ready' : `${response.status} ${body.slice(0, 300)}`;
  } catch {
    return 'it does not answer';
  }
}

/** What a service says is wrong: that is worth more than the last thing that it said while it stopped. */
function errorIn(line: string): string | undefined {
  if (!line.includes('"level":"error"')) return undefined;
  try {
    const { msg, hint } = JSON.parse(line) as { msg?: string; hint?: string };
    return hint ? `${msg} (${hint})` : msg;
  } catch {
    return line;
  }
}
