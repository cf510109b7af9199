import type { JsonObject } from '@reins/contracts';
import type { HarnessEnvironment } from '../contract.ts';
import { childEnvironment } from './environment.ts';
import { HarnessProcess, type ProcessExit } from './harness-process.ts';

export interface ProbedStart {
  readonly command: string;
  /** Folders that the executable needs. */
  readonly folders?: readonly string[];
  readonly args: readonly string[];
  readonly environment: HarnessEnvironment;
  readonly homeDir: string;
  /** Variables that the executable needs. They contain no secrets. */
  readonly variables: Readonly<Record<string, string>>;
  readonly runToken: string;
  readonly signal: AbortSignal;
}

/** A process that a probe has started. */
export interface ProbedProcess {
  /** The first line of output; undefined when the process ends, or the time is up, before it. */
  nextLine(): Promise<string | undefined>;
  onLine(read: (line: string) => void): void;
  send(message: JsonObject): void;
  /** Resolves with undefined when the process has ended or the time is up. */
  readonly ended: Promise<undefined>;
  readonly hasEnded: boolean;
  /** What the process did instead of what was expected. */
  problem(): string;
  end(): Promise<unknown>;
}

const MAX_LINE_BYTES = 1024 * 1024;
const MAX_SHOWN = 200;
const TIMEOUTS = { protocolMs: 1000, sigtermMs: 500, sigkillMs: 500 };
const TOO_LATE = 'it did not answer in time';
/** A note that Codex writes about folders for temporary files. */
const NOTE = /^WARNING: proceeding/;

/** Starts an executable for a probe. It gets no secrets. */
export function startProbed({
  command,
  folders,
  args,
  environment,
  homeDir,
  variables,
  runToken,
  signal,
}: ProbedStart): ProbedProcess {
  const first = Promise.withResolvers<string | undefined>();
  const ended = Promise.withResolvers<undefined>();
  let read: (line: string) => void = () => undefined;
  let firstLine = '';
  let exit: ProcessExit | undefined;
  let isOver = false;
  const { path, sandbox } = environment;
  const process = new HarnessProcess(
    {
      command,
      args,
      cwd: homeDir,
      environment: childEnvironment({ homeDir, runToken, path, extra: variables }),
      runToken,
      sandbox,
      writable: [homeDir],
      ...(folders !== undefined && { readable: folders }),
      takesInput: true,
      maxLineBytes: MAX_LINE_BYTES,
      shutdownTimeouts: TIMEOUTS,
    },
    {
      line: (line) => {
        firstLine ||= line;
        first.resolve(line);
        read(line);
      },
      lineTooLong: () => over(),
    },
  );
  const over = (): void => {
    isOver = true;
    first.resolve(undefined);
    ended.resolve(undefined);
  };
  signal.addEventListener('abort', over, { once: true });
  if (signal.aborted) over();
  void process.exited.then((how) => {
    exit = how;
    over();
  });
  return {
    nextLine: () => first.promise,
    onLine: (reader) => {
      read = reader;
    },
    send: (message) => process.send(message),
    ended: ended.promise,
    get hasEnded() {
      return isOver;
    },
    problem: () => (signal.aborted && exit === undefined ? TOO_LATE : problemOf(exit, firstLine, process.stderr)),
    end: () => {
      signal.removeEventListener('abort', over);
      return isOver ? process.stop() : process.finish();
    },
  };
}

function problemOf(exit: ProcessExit | undefined, firstLine: string, stderr: string): string {
  if (exit?.error) return exit.error.message;
  const lines = [firstLine, ...stderr.split('\n')].filter((line) => line.trim() !== '' && !NOTE.test(line));
  if (lines[0] !== undefined) return `it prints ${JSON.stringify(lines[0].slice(0, MAX_SHOWN))}`;
  return exit ? `it exited with ${exit.signal ?? `code ${exit.code}`} without output` : TOO_LATE;
}
