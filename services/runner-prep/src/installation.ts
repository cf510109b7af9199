import { type Problem, ReinsError } from '@reins/contracts';
import {
  type ContextBudgets,
  DEFAULT_CONTEXT_BUDGETS,
  type Installation,
  type ProviderCatalog,
  type ProviderEntry,
  SHORTEST_LITERAL,
  secretsIn,
} from '@reins/runtime-config';
import type { Environment, ProviderSettings, Settings } from '@reins/service-kit';

/** What of the installation's settings a preparation depends on. Keys are named, never known. */
export function installationOf(settings: Settings): Installation {
  return {
    sandboxId: 'reins',
    environmentNames: new Set(settings.host.secrets),
    providers: catalogOf(settings),
    timeoutSeconds: Math.ceil(settings.limits.stageRunForMs / 1000),
    runtimeApiBaseUrl: settings.prepare.runtimeApiUrl?.replace(/\/+$/, '') ?? null,
    contextBudgets: budgetsOf(settings.prepare.contextTokens),
  };
}

/** @throws ReinsError `settings_invalid`: there is no such context, or its budget is no number of tokens */
function budgetsOf(given: Readonly<Record<string, number>>): Partial<ContextBudgets> {
  const known = Object.keys(DEFAULT_CONTEXT_BUDGETS);
  const problems = Object.entries(given).flatMap(([id, tokens]): Problem[] => {
    const path = `prepare.contextTokens.${id}`;
    const hint = `the contexts are ${known.join(', ')}`;
    if (!known.includes(id)) return [{ code: 'settings_invalid', message: `there is no context ${id}`, path, hint }];
    if (Number.isInteger(tokens) && tokens >= 0) return [];
    return [{ code: 'settings_invalid', message: `${path} must be a number of tokens`, path }];
  });
  if (problems.length > 0) throw new ReinsError(problems);
  return given;
}

/**
 * Secrets of the installation that this process can see: those that stand in the settings, and the variables that they name. None of them
 * is put into a preparation; should one come in with a text, it is not stored.
 */
export function secretsOf(settings: Settings, environment: Environment): readonly string[] {
  const { host, providers, desktop, nats, database, telemetry, harness } = settings;
  const keys = Object.values(providers).map(({ apiKey }) => apiKey);
  const names = [...host.secrets, ...Object.values(providers).map(({ apiKeyEnv }) => apiKeyEnv ?? '')];
  // A variable may as well be `true` or `eu-1`.
  const variables = names.map((name) => environment[name] ?? '').filter((value) => value.length >= SHORTEST_LITERAL);
  // A user without a password is a token to other servers, and to a database a user.
  const databaseUrl = database.url.replace(/:\/\/[^/:@]*@/, '://');
  const inSettings = secretsIn({ nats: { ...nats, url: nats.url.split(',') }, databaseUrl, telemetry, harness });
  return [...new Set([...keys, desktop.token, ...variables, ...inSettings])].filter((secret) => !!secret) as string[];
}

function catalogOf({ providers, model }: Settings): ProviderCatalog {
  const entries = Object.entries(providers).map(([id, provider]) => entryOf(id, provider));
  return { providers: entries, default_provider_id: entries[0]?.id ?? null, default_model: model.override ?? null };
}

function entryOf(id: string, provider: ProviderSettings): ProviderEntry {
  const native = provider.api === 'anthropic-messages';
  const google = provider.api === 'google-generative-ai';
  return {
    id,
    kind: native ? 'anthropic_native' : 'openai_compatible',
    base_url: provider.baseUrl,
    api_key: provider.apiKeyEnv
      ? { env: provider.apiKeyEnv }
      : provider.apiKey
        ? { setting: `providers.${id}.apiKey` }
        : null,
    keyless: !provider.apiKeyEnv && !provider.apiKey,
    prefixed_models: true,
    ...(google && { transport: 'google_compatible' as const }),
  };
}
