/** A part of a JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where the settings are in the values of the chart. */
const POINTER = '#/properties/settings';

/**
 * Settings that the values do not have: those that the chart sets, those that are secrets, and those that name files.
 * `*` is an id, such as that of a provider.
 */
const EXCLUDED = [
  ...['url', 'user', 'password', 'token', 'credentials', 'users_dir', 'managed', 'replicas'].map((of) => `nats.${of}`),
  ...['id', 'runtimes', 'slots', 'warm', 'sandbox', 'network', 'allow'].map((of) => `host.${of}`),
  'database.url',
  'http',
  'chaos',
  'desktop',
  'orchestrator',
  'providers.*.api_key',
  'prepare.skills_dir',
  'narration.providers',
  'telemetry.headers',
];

/**
 * The schema of the settings in the values of the chart.
 * @param settings docs/settings.schema.json
 */
export function settingsPart(settings: JsonSchema): JsonSchema {
  const { $schema: _, $id: __, title: ___, ...root } = settings;
  return { ...(converted(root, '') as JsonSchema), description: 'The settings of the installation, as in reins.yaml.' };
}

/** The schema of one setting of hosts, such as `slots`. */
export function hostSetting(settings: JsonSchema, name: string): JsonSchema {
  return converted(memberOf(settings, 'properties', 'host', 'properties', name), `host.${name}`) as JsonSchema;
}

function memberOf(from: unknown, ...path: readonly string[]): unknown {
  const found = path.reduce<unknown>((holder, key) => (isSchema(holder) ? holder[key] : undefined), from);
  if (found === undefined) throw new Error(`the schema of the settings has no ${path.join('.')}`);
  return found;
}

/** Removes excluded settings, moves references, and replaces patterns that Helm cannot read. `path` names the setting. */
function converted(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((item) => converted(item, path));
  if (!isSchema(value)) return value;
  return Object.assign({}, ...Object.entries(value).map(([key, item]) => convertedMember(key, item, path)));
}

function convertedMember(key: string, value: unknown, path: string): JsonSchema {
  if (key === 'properties' && isSchema(value)) return { properties: membersIn(value, path) };
  if (key === 'patternProperties' && isSchema(value)) return { patternProperties: aliasesIn(value) };
  if (key === 'additionalProperties' && isSchema(value))
    return { additionalProperties: converted(value, join(path, '*')) };
  if (key === 'pattern' && typeof value === 'string') return withoutLookahead(value);
  return { [key]: converted(value, path) };
}

const membersIn = (members: JsonSchema, path: string): JsonSchema =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => !EXCLUDED.includes(join(path, name)))
      .map(([name, schema]) => [name, converted(schema, join(path, name))]),
  );

/** The names in camel case, each a reference to the name in snake case. */
const aliasesIn = (aliases: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(aliases)
      .map(([pattern, schema]) => [pattern, isSchema(schema) ? String(schema.$ref) : ''] as const)
      .filter(([, target]) => !EXCLUDED.includes(pathOf(target)))
      .map(([pattern, target]) => [pattern, { $ref: target.replace('#', POINTER) }]),
  );

/** `#/properties/providers/additionalProperties/properties/api_key` → `providers.*.api_key`. */
const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .filter((part) => part !== '#' && part !== 'properties')
    .map((part) => (part === 'additionalProperties' ? '*' : part))
    .join('.');

/** Regular expressions of Go have no lookahead. `^(?!x)` means that the text does not match `^x`. */
function withoutLookahead(pattern: string): JsonSchema {
  const [, refused] = /^\^\(\?!(.*)\)$/.exec(pattern) ?? [];
  return refused === undefined ? { pattern } : { not: { pattern: `^${refused}` } };
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
