import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isObject, isReinsError, type JsonObject, nearest, type Problem, ReinsError, STAGES } from '@reins/contracts';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseYaml, YAMLError } from 'yaml';
import { fileForm, withoutUnset } from './file-form.ts';
import { ProviderModelSettings, ProviderSettings } from './model-settings.ts';
import { withoutUnclearNames } from './name-problems.ts';
import { withOtelEnvironment } from './otel-environment.ts';
import { withSources } from './problem-sources.ts';
import { providerEndpointProblems, textMapProblems, unsupportedApi } from './provider-problems.ts';
import { ruleProblems, settingNamesOf } from './rule-problems.ts';
import { isSection } from './sections.ts';
import { Settings } from './settings.ts';
import { readStages, STAGE_KEYS } from './stage-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Loads the settings of this process: defaults, overridden by the file, overridden by the environment.
 * @param file `reins.yaml` or `reins.toml`; undefined = none
 * @throws ReinsError `settings_invalid`, with all problems
 */
export function loadSettings(file: string | undefined, environment: Environment): Settings {
  const content = file === undefined ? {} : readSettingsFile(file);
  const fromFile = fileForm(content);
  const written = withEnvironment(new Settings(), fromFile, withOtelEnvironment(environment));
  const { named, problems: unclearNames } = withoutUnclearNames(written as JsonObject, KNOWN_NAMES);
  const merged = withoutUnset(named);
  const settings = plainToInstance(Settings, merged, { exposeDefaultValues: true });
  settings.providers = mapValues(settings.providers, providerOf);
  const stageProblems = withReadStages(settings);
  const unknownNames = [...unknownKeys(new Settings(), merged, ''), ...unknownProviderKeys(settings.providers)];
  const problems = [...unclearNames, ...withoutMisspelt([...unknownNames, ...invalid(settings), ...stageProblems])];
  if (problems.length > 0) throw new ReinsError(withSources(problems, { file, content, environment }));
  return settings;
}

function providerOf(value: ProviderSettings): ProviderSettings {
  const provider = plainToInstance(ProviderSettings, value);
  if (provider.models)
    provider.models = mapValues(provider.models, (model) => plainToInstance(ProviderModelSettings, model));
  return provider;
}

function readSettingsFile(file: string): JsonObject {
  try {
    const text = readFileSync(file, 'utf8');
    const parsed: unknown = parsedSettings(file, text);
    if (!isObject(parsed))
      throw new ReinsError({ code: 'settings_invalid', message: `${file} must contain a mapping`, path: file });
    return parsed;
  } catch (error) {
    if (isReinsError(error)) throw error;
    throw new ReinsError(
      { code: 'settings_invalid', message: `${file} cannot be read: ${(error as Error).message}`, path: file },
      { cause: error },
    );
  }
}

/**
 * Parses a settings file. A syntax error reports the position only: parsers quote their input, which may be a secret.
 */
function parsedSettings(file: string, text: string): unknown {
  try {
    // Warnings would quote the input as well.
    return extname(file) === '.toml' ? parseToml(text) : (parseYaml(text, { logLevel: 'error' }) ?? {});
  } catch (error) {
    const message = `${file} cannot be read: ${positionOf(error)}`;
    throw new ReinsError({ code: 'settings_invalid', message, path: file });
  }
}

function positionOf(error: unknown): string {
  if (error instanceof TomlError) return `invalid TOML at line ${error.line}, column ${error.column}`;
  const [at] = (error instanceof YAMLError && error.linePos) || [];
  return at ? `invalid YAML at line ${at.line}, column ${at.col}` : 'invalid YAML';
}

function withEnvironment(
  defaults: Settings,
  given: Record<string, unknown>,
  environment: Environment,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...given };
  for (const [section, value] of Object.entries(defaults)) {
    const name = `REINS_${snake(section)}`;
    if (section === 'providers' || section === 'harness') {
      const text = environment[name];
      if (text !== undefined) merged[section] = parseJsonSetting(name, text) ?? merged[section];
      continue;
    }
    const own = sectionFrom(name, value as object, environment);
    if (Object.keys(own).length > 0) merged[section] = withOwn(merged[section], own, value as object);
  }
  return merged;
}

/** Replaces settings of a file by those of the environment, also in sections of the section. */
function withOwn(given: unknown, own: Record<string, unknown>, section: object): Record<string, unknown> {
  const members = isObject(given) ? given : {};
  const merged = Object.entries(own).map(([key, value]) => {
    const fallback: unknown = Reflect.get(section, key);
    return [key, isSection(fallback) && isObject(value) ? withOwn(members[key], value, fallback) : value];
  });
  return { ...members, ...Object.fromEntries(merged) };
}

/** The settings of a section that the environment has. */
function sectionFrom(name: string, section: object, environment: Environment): Record<string, unknown> {
  const found = settingNames(section).flatMap((key): [string, unknown][] => {
    const variable = `${name}_${snake(key)}`;
    const fallback: unknown = Reflect.get(section, key);
    if (isSection(fallback)) {
      const members = sectionFrom(variable, fallback, environment);
      return Object.keys(members).length === 0 ? [] : [[key, members]];
    }
    const text = environment[variable];
    const value = text === undefined || text === '' ? null : fromText(variable, text, key, fallback);
    return value === null ? [] : [[key, value]];
  });
  return Object.fromEntries(found);
}

/** Settings without a default are not own properties of an instance, so they are listed here. */
const OPTIONAL: Record<string, readonly string[]> = {
  NatsSettings: ['user', 'password', 'token', 'credentials', 'usersDir'],
  HttpSettings: ['port'],
  ModelSettings: ['override'],
  PrepareSettings: ['skillsDir', 'runtimeApiUrl'],
  DesktopSettings: ['url', 'token'],
  HostSettings: ['id'],
  TelemetrySettings: ['endpoint', 'serviceName'],
  OpenAiProtocolSettings: ['workspace'],
};

const settingNames = (section: object): string[] => [
  ...new Set([...Object.keys(section), ...(OPTIONAL[section.constructor.name] ?? [])]),
];

/** Converts text of the environment to the type of the default. `port` has no default and is a number. */
function fromText(name: string, text: string, key: string, fallback: unknown): unknown {
  if (Array.isArray(fallback))
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  if (typeof fallback === 'number' || key === 'port') return Number(text);
  if (typeof fallback === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  if (isObject(fallback)) return parseJsonSetting(name, text);
  return text;
}

function parseJsonSetting(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ReinsError({ code: 'settings_invalid', message: `${name} must be JSON`, path: name }, { cause });
  }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

function unknownKeys(defaults: object, given: Record<string, unknown>, at: string): Problem[] {
  const known = settingNames(defaults);
  return Object.entries(given).flatMap(([key, value]) => {
    if (!known.includes(key)) return [unknown(`${at}${key}`, key, known)];
    const section: unknown = Reflect.get(defaults, key);
    return isSection(section) && isObject(value) ? unknownKeys(section, value, `${at}${key}.`) : [];
  });
}

function unknown(path: string, key: string, known: readonly string[]): Problem {
  const meant = nearest(key, known);
  const hint = meant === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return { code: 'settings_invalid', message: `unknown setting ${path}`, path, hint };
}

function invalid(settings: Settings): Problem[] {
  const providers = membersOf(settings.providers).flatMap(([id, value]) => providerProblems(`providers.${id}`, value));
  const aliases = textMapProblems('model.aliases', settings.model?.aliases);
  return [...ruleProblems(validateSync(settings), ''), ...providers, ...aliases];
}

/** Returns the entries of a mapping. Any other value has none; a separate rule rejects it. */
const membersOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

function mapValues<T>(value: Record<string, T>, change: (item: T) => T): Record<string, T> {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([id, item]) => [id, isObject(item) ? change(item) : item]));
}

function providerProblems(path: string, value: unknown): Problem[] {
  if (!isObject(value)) return [{ code: 'settings_invalid', message: `${path} must be an object`, path }];
  const models = membersOf(value.models).flatMap(([id, model]) => modelProblems(`${path}.models.${id}`, model));
  const texts = ['headers', 'aliases'].flatMap((name) => textMapProblems(`${path}.${name}`, value[name]));
  const rules = ruleProblems(validateSync(value), `${path}.`);
  const api = unsupportedApi(`${path}.api`, value.api);
  const known = api ? [api, ...rules.filter((problem) => problem.path !== api.path)] : rules;
  const problems = [...known, ...models, ...texts];
  const isInvalid = problems.some((problem) => problem.path === `${path}.baseUrl`);
  return isInvalid ? problems : [...problems, ...providerEndpointProblems(path, value)];
}

function modelProblems(path: string, value: unknown): Problem[] {
  if (!isObject(value)) return [{ code: 'settings_invalid', message: `${path} must be an object`, path }];
  const known = MODEL_SETTINGS;
  const unknownNames = Object.keys(value).filter((key) => !known.includes(key));
  return [
    ...unknownNames.map((key) => unknown(`${path}.${key}`, key, known)),
    ...ruleProblems(validateSync(value), `${path}.`),
  ];
}

const MODEL_SETTINGS = settingNamesOf(ProviderModelSettings);
const PROVIDER_SETTINGS = settingNamesOf(ProviderSettings);

/** The names of the settings of a section, and of the sections in it. */
function namesIn(section: object): string[] {
  return settingNames(section).flatMap((name) => {
    const value: unknown = Reflect.get(section, name);
    return isSection(value) ? [name, ...namesIn(value)] : [name];
  });
}

/** The names of all settings and of the sections, which may be empty in a file. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...namesIn(new Settings()),
  ...MODEL_SETTINGS,
  ...PROVIDER_SETTINGS,
  ...STAGES,
  ...STAGE_KEYS,
  'orchestrator',
]);

function unknownProviderKeys(providers: unknown): Problem[] {
  return membersOf(providers).flatMap(([id, provider]) =>
    membersOf(provider)
      .filter(([key]) => !PROVIDER_SETTINGS.includes(key))
      .map(([key]) => unknown(`providers.${id}.${key}`, key, PROVIDER_SETTINGS)),
  );
}

/** Removes the problems of settings that are missing only because their name is misspelt. */
function withoutMisspelt(problems: readonly Problem[]): Problem[] {
  const meant = problems.flatMap(({ path = '', hint = '' }) => {
    const [, name] = /^Did you mean (\w+)\?$/.exec(hint) ?? [];
    return name === undefined ? [] : [`${path.slice(0, path.lastIndexOf('.') + 1)}${name}`];
  });
  return problems.filter(({ path = '', message }) => message !== `${path} is missing` || !meant.includes(path));
}

/** Separates the runtimes of stages from their other settings. @returns the problems of both */
function withReadStages({ runtimeProfile }: Settings): readonly Problem[] {
  if (!isObject(runtimeProfile?.stages)) return [];
  const { runtimes, settings, problems } = readStages(runtimeProfile.stages);
  runtimeProfile.stages = runtimes;
  if (Object.keys(settings).length > 0) runtimeProfile.stageSettings = settings;
  return problems;
}
