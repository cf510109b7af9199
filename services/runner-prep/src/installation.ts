import { type Problem, ReinsError } from '@reins/contracts';
import {
  type ContextBudgets,
  catalogOfSettings,
  DEFAULT_CONTEXT_BUDGETS,
  headerVariables,
  type Installation,
  SHORTEST_LITERAL,
  secretsIn,
} from '@reins/runtime-config';
import type { Environment, Settings } from '@reins/service-kit';

/** Derives the installation for preparations from the settings. Keys are included as references, not as values. */
export function installationOf(settings: Settings): Installation {
  return {
    sandboxId: 'reins',
    environmentNames: new Set(settings.host.secrets),
    providers: catalogOfSettings(settings),
    timeoutSeconds: Math.ceil(settings.limits.stageRunForMs / 1000),
    runtimeApiBaseUrl: settings.prepare.runtimeApiUrl?.replace(/\/+$/, '') ?? null,
    contextBudgets: budgetsOf(settings.prepare.contextTokens),
  };
}

/** @throws ReinsError `settings_invalid` for an unknown context or an invalid budget */
function budgetsOf(budgets: Readonly<Record<string, number>>): Partial<ContextBudgets> {
  const known = Object.keys(DEFAULT_CONTEXT_BUDGETS);
  const problems = Object.entries(budgets).flatMap(([id, tokens]): Problem[] => {
    const path = `prepare.contextTokens.${id}`;
    const hint = `Use one of: ${known.join(', ')}.`;
    if (!known.includes(id)) return [{ code: 'settings_invalid', message: `unknown context ${id}`, path, hint }];
    if (Number.isInteger(tokens) && tokens >= 0) return [];
    return [{ code: 'settings_invalid', message: `${path} must be a number of tokens`, path }];
  });
  if (problems.length > 0) throw new ReinsError(problems);
  return budgets;
}

/**
 * The secrets that this process can see: those in the settings, and the variables that the settings name. Preparations
 * do not use them. They are redacted if they occur in a text.
 */
export function secretsOf(settings: Settings, environment: Environment): readonly string[] {
  const { host, providers, desktop, nats, database, telemetry, harness } = settings;
  const keys = Object.values(providers).map(({ apiKey }) => apiKey);
  const ofProviders = Object.values(providers).flatMap((each) => [each.apiKeyEnv ?? '', ...headerVariables(each)]);
  const names = [...host.secrets, ...ofProviders];
  // A variable may have a short ordinary value, such as `true` or `eu-1`.
  const variables = names.map((name) => environment[name] ?? '').filter((value) => value.length >= SHORTEST_LITERAL);
  // A user without a password is a token for other servers, but an ordinary user for a database.
  const databaseUrl = database.url.replace(/:\/\/[^/:@]*@/, '://');
  const inSettings = secretsIn({ nats: { ...nats, url: nats.url.split(',') }, databaseUrl, telemetry, harness });
  return [...new Set([...keys, desktop.token, ...variables, ...inSettings])].filter((secret) => !!secret) as string[];
}
