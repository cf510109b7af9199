import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Problem, ReinsError } from '@reins/contracts';
import { installedRuntime, LITELLM_PROVIDER } from '@reins/harness';
import { SERVICE_NAMES, type Settings } from '@reins/service-kit/installation';
import type { ServiceProcess } from '@reins/supervisor';

/** A LiteLLM proxy that `reins up` starts, and the provider that it is. */
export interface LitellmProxy {
  readonly service: ServiceProcess;
  readonly provider: Settings['providers'][string];
}

/** What starts the proxy: the settings, and the environment with the keys of its models. */
export interface ProxyOptions {
  readonly settings: Pick<Settings, 'harness' | 'providers' | 'http'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly harnessesDir: string;
  readonly stateDir: string;
}

/** It calls no other address than those of its models, and has no pages of its own. */
const QUIET = {
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  LITELLM_TELEMETRY: 'False',
  DISABLE_ADMIN_UI: 'True',
  NO_DOCS: 'True',
};
/** How the configuration of LiteLLM names a variable. */
const VARIABLE = /os\.environ\/([A-Za-z_]\w*)/g;
const OWN_KEY = /^\s*master_key\s*:/m;
const CONFIG = 'harness.litellm.config';

/**
 * The proxy that `harness.litellm.config` asks for; undefined without this setting. The proxy gets the variables that its
 * configuration names, and a new key for this start.
 * @throws ReinsError with every problem of the settings
 */
export function litellmProxy({ settings, env, harnessesDir, stateDir }: ProxyOptions): LitellmProxy | undefined {
  const { config, command } = (settings.harness.litellm ?? {}) as { config?: string; command?: string };
  if (config === undefined || config === null) return undefined;
  const file = resolve(config);
  const program = command ?? installedRuntime(harnessesDir, 'litellm')?.executable;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const problems = problemsOf(file, text, program, settings.providers);
  if (problems.length > 0 || text === undefined || program === undefined) throw new ReinsError(problems);
  const home = join(stateDir, 'litellm');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const key = `sk-${randomUUID()}`;
  const port = settings.http.portBase + SERVICE_NAMES.length;
  const url = `http://127.0.0.1:${port}`;
  return {
    provider: { api: 'openai-completions', baseUrl: `${url}/v1`, apiKey: key },
    service: {
      name: 'litellm',
      main: program,
      isProgram: true,
      args: ['--config', file, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'],
      env: { PATH: env.PATH ?? '', HOME: home, ...QUIET, ...namedVariables(text, env), LITELLM_MASTER_KEY: key },
      readyUrls: [`${url}/health/readiness`],
    },
  };
}

function problemsOf(
  file: string,
  text: string | undefined,
  program: string | undefined,
  providers: Settings['providers'],
): Problem[] {
  const problem = (message: string, hint: string, path = CONFIG): Problem => ({
    code: 'settings_invalid',
    message,
    hint,
    path,
  });
  return [
    ...(text === undefined ? [problem(`${file} does not exist`, 'Write the configuration of LiteLLM there.')] : []),
    ...(OWN_KEY.test(text ?? '')
      ? [problem(`${file} sets master_key`, 'Remove master_key: each start of the system sets a new one.')]
      : []),
    ...(program === undefined
      ? [problem('LiteLLM is not installed', 'Run `reins harness install litellm`, or set harness.litellm.command.')]
      : []),
    ...(Object.hasOwn(providers, LITELLM_PROVIDER)
      ? [
          problem(
            `providers.${LITELLM_PROVIDER} is configured, but ${CONFIG} makes this provider`,
            `Remove providers.${LITELLM_PROVIDER} or ${CONFIG}.`,
            `providers.${LITELLM_PROVIDER}`,
          ),
        ]
      : []),
  ];
}

function namedVariables(text: string, env: ProxyOptions['env']): Record<string, string> {
  const names = [...text.matchAll(VARIABLE)].map(([, name]) => name as string);
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
