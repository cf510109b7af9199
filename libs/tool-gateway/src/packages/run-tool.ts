import { isReinsError } from '@reins/contracts';
import { childEnvironment, HarnessProcess, type ProcessSandbox } from '@reins/harness';

/** The end of a program. */
export interface ToolEnd {
  /** Whether the host has the program. */
  readonly exists: boolean;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the host. @throws the reason of the signal, after the program was stopped */
export type RunTool = (command: readonly string[], environment?: Readonly<Record<string, string>>) => Promise<ToolEnd>;

/** Where and how the installers of packages run. */
export interface ToolContext {
  /** The only folder that they can change in a sandbox, unless `writable` names others. */
  readonly folder: string;
  readonly writable?: readonly string[];
  /** Folders that they can read even if the sandbox hides them. */
  readonly readable?: readonly string[];
  readonly homeDir: string;
  readonly path: string;
  /** The registries, proxies and certificates of the host. */
  readonly variables: Readonly<Record<string, string>>;
  readonly sandbox: ProcessSandbox | undefined;
  readonly newToken: () => string;
}

const MAX_STDOUT = 64 * 1024;
const SHUTDOWN_TIMEOUTS = { protocolMs: 0, sigtermMs: 2000, sigkillMs: 2000 };

/**
 * Returns a function that runs programs in the sandbox of the host, with the network and without any secret in their
 * environment.
 */
export const toolRunner =
  (context: ToolContext, signal: AbortSignal): RunTool =>
  async (command, environment = {}) => {
    signal.throwIfAborted();
    const { folder, writable = [folder], readable = [], homeDir, path, variables, sandbox, newToken } = context;
    const [program = '', ...args] = command;
    const runToken = newToken();
    let stdout = '';
    const spec = {
      command: program,
      args,
      cwd: folder,
      environment: childEnvironment({ homeDir, runToken, path, extra: { ...variables, ...environment } }),
      runToken,
      sandbox,
      writable,
      readable,
      takesInput: false,
      shutdownTimeouts: SHUTDOWN_TIMEOUTS,
    };
    const child = start(spec, (line) => {
      if (stdout.length < MAX_STDOUT) stdout += `${line}\n`;
    });
    if (child === undefined) return NOT_FOUND;
    const stop = (): void => void child.stop();
    signal.addEventListener('abort', stop);
    const { code, error } = await child.exited.finally(() => signal.removeEventListener('abort', stop));
    signal.throwIfAborted();
    return error === undefined ? { exists: true, code, stdout, stderr: child.stderr } : NOT_FOUND;
  };

const NOT_FOUND: ToolEnd = { exists: false, code: null, stdout: '', stderr: '' };

/** Undefined: the sandbox has found no such program. */
function start(
  spec: ConstructorParameters<typeof HarnessProcess>[0],
  onLine: (line: string) => void,
): HarnessProcess | undefined {
  try {
    return new HarnessProcess(spec, { line: onLine, lineTooLong: () => undefined });
  } catch (error) {
    if (isReinsError(error) && error.code === 'harness_start_failed') return undefined;
    throw error;
  }
}
