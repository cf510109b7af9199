import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectBus } from '@reins/bus';
import { defined } from '@reins/contracts';
import { LITELLM_PROVIDER } from '@reins/harness';
import { busIdentity, processSettings, type Settings, topologyOf } from '@reins/service-kit/installation';
import { reinsServices, type System, startSystem } from '@reins/supervisor';
import { type CliContext, harnessesDirOf, RUN_FILES, type RunFile } from '../context.ts';
import { ensureApiKey } from './api-key.ts';
import { refuseUnavailableRuntimes } from './available-runtimes.ts';
import { type LitellmProxy, litellmProxy } from './litellm-proxy.ts';
import type { ModelSource } from './model-source.ts';
import { refuseMissingKey } from './provider-keys.ts';
import { watchProviders } from './provider-watch.ts';
import { startModels } from './providers.ts';

/** The repository root, which holds services/: seen from tools/cli/dist/up/. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** How long the services may take to start, in addition to the wait for healthy runtimes. */
const START_MS = 60_000;

export interface UpOptions {
  readonly layout: 'single' | 'separate';
  /** Export telemetry even when the settings name no endpoint. */
  readonly telemetry: boolean;
  /** Ends the start when it aborts. */
  readonly signal: AbortSignal;
}

/** A running system on this machine. */
export interface RunningInstallation {
  readonly system: System;
  readonly gatewayUrl: string;
  readonly apiKey: string;
  /** The key is new and must be shown: it is shown only once. */
  readonly newKey: boolean;
  readonly models: ModelSource;
  stop(): Promise<void>;
}

/**
 * Starts NATS, Postgres and every service, and records their addresses for other commands.
 * @throws ReinsError when a part cannot be started, or the reason of the aborted signal; everything is stopped then
 */
export async function up(context: CliContext, { layout, telemetry, signal }: UpOptions): Promise<RunningInstallation> {
  const settings = processSettings(context.env);
  refuseUnavailableRuntimes(settings);
  const harnessesDir = harnessesDirOf(context);
  const { env: own, stateDir } = context;
  const proxy = litellmProxy({ settings, env: own, harnessesDir, stateDir });
  const { models, env: modelEnv, close } = await startModels(settings, own, stateDir, proxy?.provider);
  context.note(`models: ${models.description}`);
  try {
    const { portBase } = settings.http;
    const env = {
      ...context.env,
      ...modelEnv,
      ...telemetryEnv(context, settings, telemetry),
      REINS_HOST_HARNESSES_DIR: harnessesDir,
    };
    const complete = processSettings(env);
    refuseMissingKey(complete, env);
    const services = [...reinsServices({ layout, root: ROOT, portBase }), ...(proxy ? [proxy.service] : [])];
    const system = await withReachableProviders(reachable(complete, proxy), context.note, signal, (watched) =>
      startSystem({
        dir: context.stateDir,
        services,
        topology: topologyOf(settings),
        env,
        log: context.note,
        signal: watched,
        // After `runtimeGraceMs`, the control bus exits with the reason. It must not be stopped before.
        readyWithinMs: settings.limits.runtimeGraceMs + START_MS,
      }),
    );
    return await recordInstallation(context, system, {
      settings,
      models,
      close,
      gatewayUrl: `http://127.0.0.1:${portBase}`,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** The settings without the proxy as a provider: it starts with the system. */
function reachable(settings: Settings, proxy: LitellmProxy | undefined): Settings {
  if (proxy === undefined) return settings;
  const { [LITELLM_PROVIDER]: _, ...providers } = settings.providers;
  return { ...settings, providers };
}

/** Starts a system, and ends the start if no provider can be reached. @param start gets a signal that ends it */
async function withReachableProviders(
  settings: Settings,
  note: (line: string) => void,
  signal: AbortSignal,
  start: (signal: AbortSignal) => Promise<System>,
): Promise<System> {
  const started = new AbortController();
  const failed = new AbortController();
  watchProviders(settings, note, AbortSignal.any([signal, started.signal])).catch((error: unknown) => {
    note('no provider can be used; stopping');
    failed.abort(error);
  });
  try {
    return await start(AbortSignal.any([signal, failed.signal]));
  } finally {
    started.abort();
  }
}

/** The default OTLP/HTTP address of a local OpenTelemetry collector. */
const COLLECTOR = 'http://127.0.0.1:4318';

function telemetryEnv(
  context: CliContext,
  { telemetry: { endpoint } }: Settings,
  wanted: boolean,
): Readonly<Record<string, string>> {
  const to = endpoint ?? (wanted ? COLLECTOR : undefined);
  if (to === undefined) return {};
  context.note(`exporting telemetry to ${withoutSecrets(to)}`);
  return { REINS_TELEMETRY_ENDPOINT: to };
}

/** The origin of the address: user info and query may hold a key. */
const withoutSecrets = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'an invalid URL');

type Started = {
  readonly settings: Settings;
  readonly models: ModelSource;
  readonly close: () => Promise<void>;
  readonly gatewayUrl: string;
};

async function recordInstallation(
  context: CliContext,
  system: System,
  { settings, models, close, gatewayUrl }: Started,
): Promise<RunningInstallation> {
  const stop = async (): Promise<void> => {
    await system.stop();
    await close();
  };
  try {
    const { key, created } = await keyOf(context, settings, system);
    const file = join(context.stateDir, RUN_FILES.gateway);
    mkdirSync(dirname(file), { recursive: true });
    const addresses: RunFile = {
      url: gatewayUrl,
      natsUrl: system.natsUrl,
      ...defined({ natsUsersDir: system.natsUsersDir }),
      databaseUrl: system.databaseUrl,
    };
    writeFileSync(file, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
    return { system, gatewayUrl, apiKey: key, newKey: created, models, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function keyOf(
  context: CliContext,
  settings: Settings,
  system: System,
): Promise<{ key: string; created: boolean }> {
  const bus = await connectBus({
    servers: system.natsUrl.split(','),
    name: 'reins-up',
    ...(system.natsOperator ?? busIdentity(settings.nats, 'operator')),
  });
  try {
    return await ensureApiKey(bus, join(context.stateDir, RUN_FILES.apiKey));
  } finally {
    await bus.close();
  }
}
