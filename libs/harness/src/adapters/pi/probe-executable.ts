import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { HarnessEnvironment } from '../../contract.ts';
import { objectOf } from '../../execution/json.ts';
import { childEnvironment } from '../../process/environment.ts';
import { HarnessProcess, type ProcessExit } from '../../process/harness-process.ts';
import { inProbeHome } from '../../process/probe-home.ts';
import type { ProcessSandbox } from '../../process/process-sandbox.ts';
import type { Failure } from '../../providers/probe-providers.ts';
import { FIXED_ARGUMENTS, PI_VARIABLES } from './agent-dir.ts';
import { type PiCommand, piCommand } from './command.ts';

/** The version of the executable, and what is wrong with it. */
export interface ExecutableHealth {
  readonly version: string;
  readonly failure?: Failure;
}

const VERSION = /^\d+\.\d+\.\d+[\w.+-]*$/;
const MAX_LINE_BYTES = 64 * 1024;
const MAX_SHOWN = 80;
const REQUEST_ID = 'probe';

/**
 * Checks that the configured command is pi: it prints a version, and it answers in RPC mode with the arguments of a run.
 * Calls no model. Leaves no process and no file behind. Never rejects.
 */
export async function probeExecutable(
  { settings, path, sandbox, probeToken = `probe-${randomUUID()}` }: HarnessEnvironment,
  deadlineMs: number,
): Promise<ExecutableHealth> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const command = piCommand(settings);
    return await inProbeHome('pi', async (homeDir) => {
      const options = { command, path, homeDir, sandbox, runToken: probeToken, signal };
      const printed = await run({ ...options, args: ['--version'] });
      const version = printed.line?.trim() ?? '';
      if (!VERSION.test(version)) return { version: '', failure: notPi(command, problemOf(printed)) };
      const rpc = ['--mode', 'rpc', '--no-session', ...FIXED_ARGUMENTS];
      const answered = await run({ ...options, args: rpc, rpc: true });
      if (answered.line === undefined)
        return { version, failure: notPi(command, `it does not answer in RPC mode: ${problemOf(answered)}`) };
      return { version };
    });
  } catch (error) {
    return { version: '', failure: failureOf(`pi cannot be started: ${(error as Error).message}`) };
  }
}

interface ProbeRun {
  readonly command: PiCommand;
  readonly args: readonly string[];
  readonly path: string;
  readonly homeDir: string;
  readonly sandbox: ProcessSandbox | undefined;
  readonly runToken: string;
  readonly signal: AbortSignal;
  /** Whether to request the state over RPC. The wanted line is then the response. */
  readonly rpc?: boolean;
}

/** What the process wrote: the wanted line, or the reason why there is none. */
interface ProbeOutput {
  readonly line: string | undefined;
  readonly firstLine: string;
  readonly exit: ProcessExit | undefined;
}

/** Starts the command, waits for the wanted line, the exit or the deadline, and stops the process. */
async function run({
  command,
  args,
  path,
  homeDir,
  sandbox,
  runToken,
  signal,
  rpc = false,
}: ProbeRun): Promise<ProbeOutput> {
  const found = Promise.withResolvers<string | undefined>();
  let firstLine = '';
  const executable = new HarnessProcess(
    {
      command: command.command,
      args: [...command.args, ...args],
      cwd: homeDir,
      environment: childEnvironment({
        homeDir,
        runToken,
        path,
        extra: { ...PI_VARIABLES, PI_CODING_AGENT_DIR: join(homeDir, 'agent') },
      }),
      runToken,
      sandbox,
      writable: [homeDir],
      takesInput: rpc,
      maxLineBytes: MAX_LINE_BYTES,
      shutdownTimeouts: { protocolMs: 1000, sigtermMs: 500, sigkillMs: 500 },
    },
    {
      line: (line) => {
        firstLine ||= line;
        if (!rpc || isState(line)) found.resolve(line);
      },
      lineTooLong: () => found.resolve(undefined),
    },
  );
  if (rpc) executable.send({ id: REQUEST_ID, type: 'get_state' });
  const late = (): void => found.resolve(undefined);
  signal.addEventListener('abort', late);
  if (signal.aborted) late();
  let exit: ProcessExit | undefined;
  void executable.exited.then((ended) => {
    exit = ended;
    found.resolve(undefined);
  });
  const line = await found.promise;
  signal.removeEventListener('abort', late);
  const output = { line, firstLine: firstLine || executable.stderr.split('\n')[0] || '', exit };
  await (line === undefined ? executable.stop() : executable.finish());
  return output;
}

/** Whether the line is pi's response to our request. */
function isState(line: string): boolean {
  try {
    const { id, type, command, success } = objectOf(JSON.parse(line));
    return id === REQUEST_ID && type === 'response' && command === 'get_state' && success === true;
  } catch {
    return false;
  }
}

function problemOf({ firstLine, exit }: ProbeOutput): string {
  if (exit?.error) return exit.error.message;
  if (firstLine !== '') return `it prints ${JSON.stringify(firstLine.slice(0, MAX_SHOWN))}`;
  return exit
    ? `it exited with ${exit.signal ?? `code ${exit.code}`} without output`
    : 'it printed nothing before the timeout';
}

const notPi = ({ command }: PiCommand, why: string): Failure => failureOf(`${command} is not a working pi: ${why}`);

const failureOf = (reason: string): Failure => ({
  reason,
  hint: 'Run `npm install`, or set harness.pi.command to an installed pi.',
});
