import { resolve } from 'node:path';
import { readKeyFile } from '@reins/harness/environment';
import { type HostValues, headerVariables, SHORTEST_LITERAL } from '@reins/runtime-config';
import type { Environment, Settings } from '@reins/service-kit';

const KEY_SETTING = /^providers\.([A-Za-z0-9_-]+)\.(apiKey|apiKeyFile)$/;

/**
 * The secrets of the installation: the variables that the settings list, and the keys of providers. Requests refer to
 * them by name, and only a harness host resolves the names. The keys of providers are for the model client alone. Other
 * environment variables are not available.
 */
export class HostSecrets implements Omit<HostValues, 'workspaceDir'> {
  readonly #listed: ReadonlySet<string>;
  readonly #variables: ReadonlyMap<string, string>;
  readonly #keys: ReadonlyMap<string, string>;
  /** The files with the keys of providers. */
  readonly #files: ReadonlyMap<string, string>;
  /** The keys that were read from files, also those that have changed since. */
  readonly #readKeys = new Set<string>();

  constructor({ host, providers }: Pick<Settings, 'host' | 'providers'>, environment: Environment) {
    this.#listed = new Set(host.secrets);
    const ofProviders = Object.values(providers).flatMap((provider) => [
      ...(provider.apiKeyEnv ? [provider.apiKeyEnv] : []),
      ...headerVariables(provider),
    ]);
    const named = [...host.secrets, ...ofProviders];
    this.#variables = new Map(named.flatMap((name) => pairOf(name, environment[name])));
    this.#keys = new Map(Object.entries(providers).flatMap(([id, { apiKey }]) => pairOf(id, apiKey)));
    this.#files = new Map(keyFiles(providers));
  }

  readonly environment = (name: string): string | undefined =>
    this.#listed.has(name) ? this.#variables.get(name) : undefined;

  readonly modelEnvironment = (name: string): string | undefined => this.#variables.get(name);

  readonly setting = (path: string): string | undefined => {
    const [, id = '', name] = KEY_SETTING.exec(path) ?? [];
    return name === 'apiKeyFile' ? this.#keyInFile(id) || undefined : this.#keys.get(id);
  };

  /** The key of a provider; empty when it has none. */
  readonly keyOf = (id: string, { apiKeyEnv }: { readonly apiKeyEnv?: string }): string =>
    this.#files.has(id)
      ? this.#keyInFile(id)
      : (apiKeyEnv && this.#variables.get(apiKeyEnv)) || this.#keys.get(id) || '';

  /** Every value that must not be published. Ordinary short values of variables are left out. */
  get values(): readonly string[] {
    const variables = [...this.#variables.values()].filter((value) => value.length >= SHORTEST_LITERAL);
    for (const id of this.#files.keys()) this.#keyInFile(id);
    return [...this.#keys.values(), ...this.#readKeys, ...variables];
  }

  #keyInFile(id: string): string {
    const file = this.#files.get(id);
    const key = file === undefined ? '' : readKeyFile(file);
    if (key !== '') this.#readKeys.add(key);
    return key;
  }
}

/** The files with the keys of providers, by provider. */
export const keyFiles = (providers: Settings['providers']): [string, string][] =>
  Object.entries(providers).flatMap(([id, { apiKeyFile }]) => pairOf(id, apiKeyFile && resolve(apiKeyFile)));

const pairOf = (name: string, value: string | undefined): [string, string][] => (value ? [[name, value]] : []);
