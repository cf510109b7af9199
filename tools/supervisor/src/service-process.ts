import { ReinsError } from '@reins/contracts';
import { GuardedProcess } from '@reins/embedded';
import type { ServiceProcess } from './api.ts';
import { probeReadiness } from './readiness.ts';
import { ReasonReports } from './reason-reports.ts';
import { ServiceOutput } from './service-output.ts';
import type { Launched } from './supervised.ts';

export interface LaunchServiceOptions {
  readonly service: ServiceProcess;
  /** The complete environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly readyWithinMs: number;
  readonly stopWithinMs: number;
  /** Receives every line of output. */
  readonly onLine: (line: string) => void;
  /** The file that the lines are written to. Hints name it. */
  readonly logPath: string;
  /** Receives the reasons why a start takes long, and how long it has taken. */
  readonly onNotReady: (reason: string, waitedMs: number) => void;
  readonly cancelled: AbortSignal;
  /** Called with the process as soon as it has started, before it is ready. */
  readonly onStarted: (process: Launched) => void;
}

const PROBE_INTERVAL_MS = 50;

/**
 * Starts a process with services. Resolves when all of them are ready.
 * @throws ReinsError with the problems that ended the process, then `service_unavailable` of the process
 */
export async function launchService(options: LaunchServiceOptions): Promise<Launched> {
  const { service } = options;
  const child = await GuardedProcess.start({
    command: service.isProgram ? service.main : process.execPath,
    args: [...(service.isProgram ? [] : [service.main]), ...(service.args ?? [])],
    cwd: options.cwd,
    env: options.env,
  });
  options.onStarted(child);
  const output = new ServiceOutput([child.stdout, child.stderr], options.onLine);
  const launched: Launched = {
    pid: child.pid,
    exited: child.exited.then(async (exit) => {
      await output.ended();
      return exit;
    }),
    stop: (deadlineMs) => child.stop(deadlineMs),
    kill: () => child.kill(),
    reason: () => output.problems[0],
  };
  const failure = await untilReady(child, options);
  if (failure === undefined) return launched;
  await child.stop(options.stopWithinMs);
  await output.ended();
  throw notStarted(service.name, failure, output, options.logPath);
}

/** The problems that the process reported when it could not continue come first: they are the cause. */
function notStarted(name: string, failure: string, output: ServiceOutput, logPath: string): ReinsError {
  const { problems, tail } = output;
  const detail = problems.length > 0 ? '' : `: ${tail.join(' | ') || 'no output'}`;
  const hint = `Read ${logPath}.`;
  return new ReinsError([
    ...problems,
    { code: 'service_unavailable', message: `${name} ${failure}${detail}`, path: name, hint },
  ]);
}

/** Waits until the process is ready. Returns undefined, or the reason why it is not. */
async function untilReady(child: GuardedProcess, options: LaunchServiceOptions): Promise<string | undefined> {
  const started = performance.now();
  const pending = new Set(options.service.readyUrls);
  let notReady = 'no response';
  const reports = new ReasonReports(options.onNotReady);
  let hasResponded = false;
  for (;;) {
    if (child.exit) return `ended with ${child.exit.signal ?? `code ${child.exit.code}`}`;
    if (options.cancelled.aborted) return 'was cancelled';
    const waitedMs = performance.now() - started;
    for (const url of pending) {
      const { responds, reason } = await probeReadiness(url);
      if (reason === undefined) pending.delete(url);
      else notReady = reason;
      hasResponded ||= responds;
      if (responds && reason !== undefined) reports.add(url, reason, waitedMs);
    }
    if (!hasResponded) reports.add(child.pid.toString(), 'its process does not respond yet', waitedMs);
    if (pending.size === 0) return undefined;
    if (waitedMs > options.readyWithinMs) return `was not ready within ${options.readyWithinMs} ms (${notReady})`;
    await Promise.race([child.exited, new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS))]);
  }
}
