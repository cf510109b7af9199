import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ReinsError } from '@reins/contracts';

/** What every command gets: the location of the installation, and the output functions. */
export interface CliContext {
  /** The environment of the command. Only this module and the settings read it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The name of the person's account, for records, if the environment does not have it. */
  readonly account?: string;
  readonly stateDir: string;
  /** Print only JSON on standard output. */
  readonly json: boolean;
  /** Run process code in this Node process, without a sandbox. For tests. */
  readonly inProcess?: boolean;
  /** Writes a result to standard output. */
  readonly out: (text: string) => void;
  /** Resolves when standard output has drained. Commands with unbounded output wait for it. */
  readonly drained: () => Promise<void>;
  /** The commands in a text as the user types them: `npx reins …` for `reins …`. */
  readonly typed: (text: string) => string;
  /** Writes progress and errors to standard error, with commands as the user types them. */
  readonly note: (text: string) => void;
}

export interface GatewayAddress {
  readonly url: string;
  readonly apiKey: string | undefined;
}

/** The files that `reins up` writes for other commands. */
export const RUN_FILES = { gateway: 'run/gateway.json', apiKey: 'run/api-key' } as const;

/** The script of the scripted model, in the state folder. */
export const MODEL_SCRIPT = 'model-script.json';

/**
 * The gateway address: from REINS_URL and REINS_API_KEY, or recorded by `reins up`.
 * @throws ReinsError `service_unavailable` when the address is unknown
 */
export function gatewayAddress({ env, stateDir }: Pick<CliContext, 'env' | 'stateDir'>): GatewayAddress {
  const url = env.REINS_URL ?? runFile(stateDir)?.url;
  const apiKey = env.REINS_API_KEY ?? readIfExists(join(stateDir, RUN_FILES.apiKey))?.trim();
  if (url) return { url: url.replace(/\/+$/, ''), apiKey };
  throw new ReinsError({
    code: 'service_unavailable',
    message: 'the address of the gateway is unknown',
    hint: 'Start a system in this folder with `reins up`, or set REINS_URL and REINS_API_KEY.',
  });
}

/** The addresses of the system that runs, or last ran, in this state folder. */
export interface RunFile {
  readonly url: string;
  readonly natsUrl: string;
  /** The folder with the seeds of the NATS users, when the system runs its own NATS server. */
  readonly natsUsersDir?: string;
  readonly databaseUrl: string;
}

export function runFile(stateDir: string): RunFile | undefined {
  const text = readIfExists(join(stateDir, RUN_FILES.gateway));
  return text === undefined ? undefined : (JSON.parse(text) as RunFile);
}

/** The text of a file; undefined without the file. */
export const readIfExists = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined;

/** The folder of installed executables of runtimes: REINS_HOST_HARNESSES_DIR, or `harnesses` in the state folder. */
export const harnessesDirOf = ({ env, stateDir }: Pick<CliContext, 'env' | 'stateDir'>): string =>
  resolve(env.REINS_HOST_HARNESSES_DIR ?? join(stateDir, 'harnesses'));

/** The state folder: `--state-dir`, REINS_STATE_DIR, or `.reins` in the working directory. */
export function stateDirOf(option: string | undefined, env: CliContext['env']): string {
  return resolve(option ?? env.REINS_STATE_DIR ?? '.reins');
}
