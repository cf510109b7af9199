import { defined, STAGES } from '@reins/contracts';
import { getMetadataStorage } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { ProviderModelSettings, ProviderSettings } from './model-settings.ts';
import { isSection } from './sections.ts';
import { Settings } from './settings.ts';
import { MAX_RETRIES, ON_TIMEOUT } from './stage-settings.ts';

type JsonSchema = Readonly<Record<string, unknown>>;
type Rules = ReadonlyMap<string, readonly unknown[]>;

/**
 * The JSON Schema of a settings file, for editors. It has the names and rules of `Settings`, and the meanings that
 * docs/settings.md lists as a list item after the path.
 * @param document the text of docs/settings.md
 */
export function settingsJsonSchema(document: string): JsonSchema {
  const meanings = meaningsOf(document);
  const sections = objectSchema(new Settings(), { path: '', pointer: '#' }, (key, value, { pointer }) => {
    if (key === 'harness') return mapOf({ type: 'object' });
    if (key !== 'providers') return objectSchema(value as object, { path: `${key}.`, pointer }, leaf(meanings));
    const at = { path: 'providers.<id>.', pointer: `${pointer}/additionalProperties` };
    return mapOf(objectSchema(new ProviderSettings(), at, providerLeaf(meanings)));
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:reins:schema:settings',
    title: 'reins.yaml',
    description: 'The settings of an installation.',
    ...sections,
    properties: { ...sections.properties, orchestrator: orchestrator() },
  };
}

/** The place of a setting: its path in the documents, and the pointer to its schema. */
interface Place {
  readonly path: string;
  readonly pointer: string;
}

type Describe = (key: string, value: unknown, at: Place, rules: Rules) => JsonSchema;

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** Editors propose names in snake case. Names in camel case are valid too. */
function objectSchema(holder: object, at: Place, describe: Describe): ObjectSchema {
  const rules = getMetadataStorage().getTargetValidationMetadatas(holder.constructor, '', false, false);
  const members = [...Map.groupBy(rules, ({ propertyName }) => propertyName)].map(([key, of]) => {
    const name = snake(key);
    const place = { path: `${at.path}${key}`, pointer: `${at.pointer}/properties/${name}` };
    return { key, name, place, schema: describe(key, Reflect.get(holder, key), place, namedRules(of)) };
  });
  const others = members.filter(({ key, name }) => key !== name);
  const required = holder instanceof ProviderSettings ? ['api'] : [];
  return {
    type: ['object', 'null'],
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    ...(others.length > 0 && {
      patternProperties: Object.fromEntries(others.map(({ key, place }) => [`^${key}$`, { $ref: place.pointer }])),
    }),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const providerLeaf =
  (meanings: ReadonlyMap<string, string>): Describe =>
  (key, value, at, rules) => {
    const own = leaf(meanings)(key, value, at, rules);
    if (key !== 'models') return own;
    const members = { path: `${at.path}.<model>.`, pointer: `${at.pointer}/additionalProperties` };
    return { ...own, ...mapOf(objectSchema(new ProviderModelSettings(), members, leaf(meanings))) };
  };

/** The schema of one setting. `null` counts as not set. */
const leaf =
  (meanings: ReadonlyMap<string, string>): Describe =>
  (_key, value, { path, pointer }, rules) => {
    if (isSection(value)) return objectSchema(value, { path: `${path}.`, pointer }, leaf(meanings));
    const description = meanings.get(path);
    return {
      ...defined({ description }),
      ...(path === 'runtimeProfile.stages' ? stages() : typed(rules)),
      ...defined({ default: value }),
    };
  };

function typed(rules: Rules): JsonSchema {
  const [allowed] = rules.get('isIn') ?? [];
  if (Array.isArray(allowed) && rules.has('isArray')) return { type: ['array', 'null'], items: { enum: allowed } };
  if (Array.isArray(allowed)) return { enum: [...allowed, null] };
  if (rules.has('isBoolean')) return { type: ['boolean', 'null'] };
  if (rules.has('isObject')) return { type: ['object', 'null'] };
  const number = ['isInt', 'isNumber'].find((rule) => rules.has(rule));
  if (number !== undefined)
    return {
      type: [number === 'isInt' ? 'integer' : 'number', 'null'],
      ...bound(rules, 'min', 'minimum'),
      ...bound(rules, 'max', 'maximum'),
    };
  const text = { type: 'string', ...bound(rules, 'minLength', 'minLength'), ...pattern(rules) };
  return rules.has('isArray') ? { type: ['array', 'null'], items: text } : { ...text, type: ['string', 'null'] };
}

const bound = (rules: Rules, rule: string, keyword: string): JsonSchema => {
  const [value] = rules.get(rule) ?? [];
  return value === undefined ? {} : { [keyword]: value };
};

function pattern(rules: Rules): JsonSchema {
  const [expression] = rules.get('matches') ?? [];
  return expression instanceof RegExp ? { pattern: expression.source } : {};
}

const RUNTIME_ID: JsonSchema = { type: ['string', 'null'], pattern: '^[A-Za-z0-9_-]{1,64}$' };

function stages(): JsonSchema {
  return {
    type: ['object', 'null'],
    properties: Object.fromEntries(STAGES.map((name) => [name, { anyOf: [RUNTIME_ID, stageTable()] }])),
    additionalProperties: false,
  };
}

const MODEL_SCHEMAS = { model: { type: 'string', minLength: 1 }, thinking: { type: 'string', minLength: 1 } };

function stageTable(): JsonSchema {
  const runner = { runtime: RUNTIME_ID, ...MODEL_SCHEMAS };
  const fallback = { type: 'object', properties: runner, required: ['runtime'], additionalProperties: false };
  return {
    type: 'object',
    properties: {
      ...runner,
      timeout: { type: ['string', 'integer'], pattern: '^[0-9]{1,9}(ms|s|m|h)$' },
      retries: { type: 'integer', minimum: 0, maximum: MAX_RETRIES },
      on_timeout: { enum: ON_TIMEOUT },
      fallback: { type: 'array', items: { anyOf: [RUNTIME_ID, fallback] } },
    },
    required: ['runtime'],
    additionalProperties: false,
  };
}

/** The runtime profile may be written within `orchestrator`. */
function orchestrator(): JsonSchema {
  const profile = { $ref: '#/properties/runtime_profile' };
  return {
    type: 'object',
    properties: { runtime_profile: profile },
    patternProperties: { '^runtimeProfile$': profile },
    additionalProperties: false,
  };
}

const mapOf = (member: JsonSchema): JsonSchema => ({ type: ['object', 'null'], additionalProperties: member });

const namedRules = (of: readonly ValidationMetadata[]): Rules =>
  new Map(of.map(({ name, type, constraints }) => [name ?? type, constraints ?? []]));

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The meaning of each setting: the list items that start with its path. An item may name several. */
function meaningsOf(document: string): ReadonlyMap<string, string> {
  const items = document.matchAll(/^- ((?:`[\w.<>]+`(?:, )?)+): ([\s\S]*?)(?=\n(?:- |\n|$))/gm);
  return new Map(
    [...items].flatMap(([, paths = '', text = '']) =>
      [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => [path, plain(text)] as const),
    ),
  );
}

/** Markdown as plain text on one line. */
function plain(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*\(\[[^\]]*\]\([^)]*\)\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();
  return line.charAt(0).toUpperCase() + line.slice(1);
}
