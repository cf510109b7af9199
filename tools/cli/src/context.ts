import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ReinsError } from '@reins/contracts';

/** What every command has: where the installation is, and how to speak. */
export interface CliContext {
  /** The environment of the command; read here and in the settings alone. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir: string;
  /** Answers for programs: JSON on standard output, nothing else there. */
  readonly json: boolean;
  /** Runs the code of processes in this very process: for tests, whose processes are their own. */
  readonly inProcess?: boolean;
  /** A result, to standard output. */
  readonly out: (text: string) => void;
  /** Resolves when what was printed has been taken: what prints without end waits for it. */
  readonly taken: () => Promise<void>;
  /** Progress and errors, to standard error. */
  readonly note: (text: string) => void;
}

export interface GatewayAddress {
  readonly url: string;
  readonly apiKey: string | undefined;
}

/** What `reins up` leaves for other commands. */
export const RUN_FILES = { gateway: 'run/gateway.json', apiKey: 'run/api-key' } as const;

/**
 * Where the gateway is: REINS_URL and REINS_API_KEY, or what `reins up` wrote down.
 * @throws ReinsError `service_unavailable` when neither says it
 */
export function gatewayAddress({ env, stateDir }: CliContext): GatewayAddress {
  const url = env.REINS_URL ?? runFile(stateDir)?.url;
  const apiKey = env.REINS_API_KEY ?? readIfThere(join(stateDir, RUN_FILES.apiKey))?.trim();
  if (url) return { url: url.replace(/\/+$/, ''), apiKey };
  throw new ReinsError({
    code: 'service_unavailable',
    message: 'no gateway is known here',
    hint: 'start one with `reins up` in this folder, or set REINS_URL and REINS_API_KEY',
  });
}

/** Where the system of this folder is, or was. */
export interface RunFile {
  readonly url: string;
  readonly natsUrl: string;
  readonly databaseUrl: string;
}

export function runFile(stateDir: string): RunFile | undefined {
  const text = readIfThere(join(stateDir, RUN_FILES.gateway));
  return text === undefined ? undefined : (JSON.parse(text) as RunFile);
}

const readIfThere = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/** The state folder: `--state-dir`, REINS_STATE_DIR, or `.reins` of the working folder. */
export function stateDirOf(option: string | undefined, env: CliContext['env']): string {
  return resolve(option ?? env.REINS_STATE_DIR ?? '.reins');
}
