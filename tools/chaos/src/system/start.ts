import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ScriptedModel, startScriptedModel } from '@reins/scripted-model';
import { processSettings, SERVICE_NAMES, type ServiceName, topologyOf } from '@reins/service-kit/installation';
import { reinsServices, type ServiceProcess, type System, startSystem } from '@reins/supervisor';
import { createApiKey } from './api-key.ts';
import { Gateway } from './gateway.ts';
import { freePorts } from './ports.ts';

/** The folder that holds services/, from tools/chaos/{src,dist}/system/. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

export interface StartOptions {
  /** The state folder. */
  readonly dir: string;
  /** Number of replicas of the control bus and of the harness host. */
  readonly replicas: number;
  readonly log: (line: string) => void;
  /** Settings in the format of the settings file. They override those for the scripted model. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Scenarios of the scripted model that become providers, in addition to `scripted`. */
  readonly scenarios?: readonly string[];
  /** The API key for the scripted model. */
  readonly apiKey?: string | undefined;
  /** URLs of existing NATS servers, separated by commas. Default: starts its own server. */
  readonly natsUrl?: string;
  /** Providers in addition to those of the scripted model. */
  readonly providers?: Readonly<Record<string, unknown>>;
  /** Additional environment variables of a service, by the name of its process. */
  readonly environmentOf?: (service: string) => Readonly<Record<string, string>>;
}

/** A whole system on free ports, with one process per service and the scripted model as provider. */
export interface RunningSystem {
  readonly system: System;
  readonly gateway: Gateway;
  readonly model: ScriptedModel;
  stop(): Promise<void>;
}

/** A limit for what hangs: a busy machine needs several times as long as a quiet one. */
const READY_TIMEOUT_MS = 300_000;

const REPLICATED: readonly ServiceName[] = ['control-bus', 'harness-host'];

/** @throws ReinsError when a part cannot be started; everything is stopped then */
export async function startRunningSystem(options: StartOptions): Promise<RunningSystem> {
  const { dir, replicas, log } = options;
  const model = await startScriptedModel();
  let system: System | undefined;
  const stop = async (): Promise<void> => {
    await system?.stop();
    await model.close();
  };
  try {
    const more = REPLICATED.length * (replicas - 1);
    const portBase = await freePorts(SERVICE_NAMES.length + more);
    const config = await writeSettings(dir, { ...settingsFor(model.url, options), ...options.settings });
    const services = [
      ...reinsServices({ layout: 'separate', root: ROOT, portBase }),
      ...furtherReplicas(replicas, portBase),
    ];
    const own = services.map((service) => withEnvironment(service, options.environmentOf));
    const env = environment(config, options.natsUrl);
    system = await startSystem({
      dir,
      services: own,
      topology: topologyOf(processSettings(env)),
      env,
      log,
      readyWithinMs: READY_TIMEOUT_MS,
    });
    const gateway = new Gateway(`http://127.0.0.1:${portBase}`, await createApiKey(system));
    return { system, gateway, model, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function withEnvironment(service: ServiceProcess, environmentOf: StartOptions['environmentOf']): ServiceProcess {
  return environmentOf ? { ...service, env: { ...service.env, ...environmentOf(service.name) } } : service;
}

/** Removes the `REINS_*` variables of the machine, so that a run depends only on its options. */
function environment(config: string, natsUrl: string | undefined): Record<string, string | undefined> {
  const { REINS_NATS_SERVER, ...all } = process.env;
  const own = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('REINS_')));
  const PATH = `${process.env.PATH}:${join(ROOT, '.reins', 'bin')}`;
  const nats = { ...(REINS_NATS_SERVER && { REINS_NATS_SERVER }), ...(natsUrl && { REINS_NATS_URL: natsUrl }) };
  return { ...own, PATH, REINS_CONFIG: config, ...nats };
}

/** Further replicas; the second one is named `control-bus-2`. */
function furtherReplicas(replicas: number, portBase: number): ServiceProcess[] {
  const numbers = Array.from({ length: replicas - 1 }, (_, index) => index + 2);
  const wanted = REPLICATED.flatMap((name) => numbers.map((number) => ({ name, number })));
  return wanted.map(({ name, number }, index) => {
    const port = portBase + SERVICE_NAMES.length + index;
    const env = { REINS_HTTP_PORT: String(port) };
    const main = join(ROOT, 'services', name, 'dist', 'main.js');
    return { name: `${name}-${number}`, main, env, readyUrls: [`http://127.0.0.1:${port}/readyz`] };
  });
}

/** The names of a service and its further replicas. */
export function replicasOf(target: string, replicas: number): string[] {
  if (!REPLICATED.some((name) => name === target)) return [target];
  return [target, ...Array.from({ length: replicas - 1 }, (_, index) => `${target}-${index + 2}`)];
}

function settingsFor(
  modelUrl: string,
  { scenarios = [], apiKey = 'scripted', providers = {} }: StartOptions,
): Record<string, unknown> {
  const provider = (scenario: string) => ({
    api: 'openai-completions',
    baseUrl: `${modelUrl}/s/${scenario}/v1`,
    apiKey,
  });
  const others = Object.fromEntries(scenarios.map((scenario) => [scenario, provider(scenario)]));
  return {
    providers: { scripted: provider('quickstart'), ...others, ...providers },
    runtime_profile: { default: 'echo' },
  };
}

/** Writes the settings as JSON, which is valid YAML. */
async function writeSettings(dir: string, settings: Readonly<Record<string, unknown>>): Promise<string> {
  await mkdir(dir, { recursive: true });
  const file = join(dir, 'reins.yaml');
  await writeFile(file, JSON.stringify(settings, null, 2));
  return file;
}
