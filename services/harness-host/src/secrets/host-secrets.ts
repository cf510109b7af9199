import { type HostValues, headerVariables, SHORTEST_LITERAL } from '@reins/runtime-config';
import type { Environment, Settings } from '@reins/service-kit';

const KEY_SETTING = /^providers\.([A-Za-z0-9_-]+)\.apiKey$/;

/**
 * The secrets of the installation: the variables that the settings list, and the keys of providers. Requests refer to
 * them by name, and only a harness host resolves the names. The keys of providers are for the model client alone. Other
 * environment variables are not available.
 */
export class HostSecrets implements Omit<HostValues, 'workspaceDir'> {
  readonly #listed: ReadonlySet<string>;
  readonly #variables: ReadonlyMap<string, string>;
  readonly #keys: ReadonlyMap<string, string>;

  constructor({ host, providers }: Pick<Settings, 'host' | 'providers'>, environment: Environment) {
    this.#listed = new Set(host.secrets);
    const ofProviders = Object.values(providers).flatMap((provider) => [
      ...(provider.apiKeyEnv ? [provider.apiKeyEnv] : []),
      ...headerVariables(provider),
    ]);
    const named = [...host.secrets, ...ofProviders];
    this.#variables = new Map(named.flatMap((name) => pairOf(name, environment[name])));
    this.#keys = new Map(Object.entries(providers).flatMap(([id, { apiKey }]) => pairOf(id, apiKey)));
  }

  readonly environment = (name: string): string | undefined =>
    this.#listed.has(name) ? this.#variables.get(name) : undefined;

  readonly modelEnvironment = (name: string): string | undefined => this.#variables.get(name);

  readonly setting = (path: string): string | undefined => this.#keys.get(KEY_SETTING.exec(path)?.[1] ?? '');

  /** The key of a provider; empty when it has none. */
  readonly keyOf = (id: string, { apiKeyEnv }: { readonly apiKeyEnv?: string }): string =>
    (apiKeyEnv && this.#variables.get(apiKeyEnv)) || this.#keys.get(id) || '';

  /** Every value that must not be published. Ordinary short values of variables are left out. */
  get values(): readonly string[] {
    const variables = [...this.#variables.values()].filter((value) => value.length >= SHORTEST_LITERAL);
    return [...this.#keys.values(), ...variables];
  }
}

const pairOf = (name: string, value: string | undefined): [string, string][] => (value ? [[name, value]] : []);
