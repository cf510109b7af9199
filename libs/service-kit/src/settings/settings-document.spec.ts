import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { loadSettings } from './load-settings.ts';
import { ProviderModelSettings, ProviderSettings } from './model-settings.ts';
import { ALLOWED_DESTINATION } from './names.ts';
import { isSection } from './sections.ts';
import { Settings } from './settings.ts';
import { TelemetrySettings } from './telemetry-settings.ts';

/** The documented facts about a setting; its meaning is in a separate column. */
interface Row {
  readonly path: string;
  readonly type: string;
  readonly default: string;
  readonly rule: string;
  readonly environment: string;
}

const document = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');

test('docs/settings.md names every setting with its type, default, rule and environment variable, and no other', () => {
  expect(documented()).toEqual(declared());
});

test('values that are too long for the table are listed below it', () => {
  const long = [
    ['providers.<id>.api', rulesOf(new ProviderSettings()), 'api'],
    ['telemetry.sampler', rulesOf(new TelemetrySettings()), 'sampler'],
  ] as const;
  for (const [path, rules, key] of long) {
    const values = rules.find(({ propertyName }) => propertyName === key)?.constraints?.[0];
    expect(isLong(values)).toBe(true);
    const [, item = ''] = document.split(`- \`${path}\`:`);
    const listed = item.slice(0, item.indexOf('\n- ')).match(/(?<=`)[a-z][a-z_-]+(?=`)/g);
    expect(new Set(listed)).toEqual(new Set(values));
  }
});

test('the documented environment variables are those that are read', () => {
  for (const row of declared().filter(({ environment }) => environment !== '–')) {
    const { given, read } = example(row);
    const settings = loadSettings(undefined, { [row.environment]: given });
    const found = row.path.split('.').reduce<unknown>((holder, key) => Reflect.get(holder as object, key), settings);
    expect({ path: row.path, found }).toEqual({ path: row.path, found: read });
  }
});

const OBJECTS: Readonly<Record<string, unknown>> = {
  'runtimeProfile.stages': { execute: 'pi' },
  'prepare.contextTokens': { session_resume: 500 },
  providers: { mine: { api: 'openai-responses', baseUrl: 'http://127.0.0.1:1/v1' } },
  harness: { pi: { retries: 7 } },
  'model.aliases': { fast: 'mine/m' },
  'telemetry.headers': { authorization: 'Bearer x' },
  'telemetry.resourceAttributes': { 'deployment.environment.name': 'test' },
  'narration.providers': { brief: './brief.mjs' },
};

/** A valid value other than the default, as environment text and as parsed. */
function example({ path, type, rule }: Row): { readonly given: string; readonly read: unknown } {
  if (path === 'telemetry.sampler') return { given: 'traceidratio', read: 'traceidratio' };
  if (type === 'object') return { given: JSON.stringify(OBJECTS[path]), read: OBJECTS[path] };
  if (type === 'list') return { given: 'a, b', read: ['a', 'b'] };
  const given = rule.includes(' or ') ? (rule.split(' or ').at(-1) ?? '') : (/\d+/.exec(rule)?.[0] ?? 'a-text');
  if (type === 'boolean') return { given: 'false', read: false };
  return { given, read: type === 'number' ? Number(given) : given };
}

/** The table rows of the document. */
function documented(): Row[] {
  return document
    .split('\n')
    .filter((line) => /^\| `[a-z]/.test(line))
    .map((line) => {
      const [path = '', type = '', fallback = '', rule = '', environment = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim().replaceAll('`', ''));
      return { path, type, default: fallback, rule, environment };
    });
}

/** The same facts from the code. */
function declared(): Row[] {
  const defaults = new Settings();
  return propertiesOf(defaults).flatMap((section) => {
    const value = Reflect.get(defaults, section) as object;
    if (isSection(value)) return rowsIn(value, [section]);
    const own = row(defaults, section, section, variable(section));
    const members =
      section === 'providers'
        ? [
            ...rowsOf(new ProviderSettings(), 'providers.<id>'),
            ...rowsOf(new ProviderModelSettings(), 'providers.<id>.models.<model>'),
          ]
        : [];
    return [own, ...members];
  });
}

/** The settings of a section, and of the sections in it. */
const rowsIn = (section: object, path: readonly string[]): Row[] =>
  propertiesOf(section).flatMap((key) => {
    const value: unknown = Reflect.get(section, key);
    if (isSection(value)) return rowsIn(value, [...path, key]);
    return [row(section, [...path, key].join('.'), key, variable(...path, key))];
  });

const rowsOf = (holder: object, path: string): Row[] =>
  propertiesOf(holder).map((key) => row(holder, `${path}.${key}`, key, '–'));

function row(holder: object, path: string, key: string, environment: string): Row {
  const rules = new Map(
    rulesOf(holder)
      .filter(({ propertyName }) => propertyName === key)
      .map(({ name, type, constraints }) => [name ?? type, constraints ?? []]),
  );
  const value: unknown = Reflect.get(holder, key);
  return { path, type: typeOf(rules), default: defaultOf(value), rule: ruleOf(rules, value) || '–', environment };
}

type Rules = ReadonlyMap<string, readonly unknown[]>;

function typeOf(rules: Rules): string {
  if (rules.has('isArray')) return 'list';
  if (rules.has('isObject')) return 'object';
  if (rules.has('isBoolean')) return 'boolean';
  return rules.has('isInt') || rules.has('isNumber') || allowed(rules).some((value) => typeof value === 'number')
    ? 'number'
    : 'string';
}

function defaultOf(value: unknown): string {
  if (value === undefined) return '–';
  if (Array.isArray(value)) return value.join(', ') || 'empty';
  return typeof value === 'object' ? 'empty' : String(value);
}

function ruleOf(rules: Rules, value: unknown): string {
  const [least] = rules.get('min') ?? [];
  const [most] = rules.get('max') ?? [];
  const parts = [
    least !== undefined && (most === undefined ? `at least ${least}` : `${least} to ${most}`),
    isLong(allowed(rules)) ? 'a value below' : allowed(rules).join(' or '),
    rules.has('matches') && formOf(rules),
    rules.has('minLength') && 'not empty',
    value === undefined && !rules.has('isOptional') && 'required',
  ];
  return parts.filter(Boolean).join(', ');
}

/** The form of values that a pattern describes. */
function formOf(rules: Rules): string {
  if (isUrl(rules)) return 'no password';
  return rules.get('matches')?.[0] === ALLOWED_DESTINATION ? 'destination' : 'token';
}

/** Whether a table row cannot hold these values. The text below the table lists them. */
const isLong = (values: readonly unknown[]): boolean => values.join(' or ').length > 60;

const isUrl = (rules: Rules): boolean => String(rules.get('matches')?.[0]).includes('@');

const allowed = (rules: Rules): readonly unknown[] => (rules.get('isIn')?.[0] ?? []) as readonly unknown[];

const rulesOf = (holder: object): ValidationMetadata[] =>
  getMetadataStorage().getTargetValidationMetadatas(holder.constructor, '', false, false);

const propertiesOf = (holder: object): string[] => [...new Set(rulesOf(holder).map((rule) => rule.propertyName))];

const variable = (...path: readonly string[]): string =>
  `REINS_${path.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()).join('_')}`;
