import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { settingsJsonSchema } from './settings-schema.ts';

const file = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const document = file('docs/settings.md');
const schema = settingsJsonSchema(document) as { readonly $id: string; readonly properties: Record<string, unknown> };
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
const problems = (settings: unknown): string[] => {
  validate(settings);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
};

test('docs/settings.schema.json is up to date; run node libs/service-kit/scripts/generate.mjs otherwise', () => {
  expect(JSON.parse(file('docs/settings.schema.json'))).toEqual(schema);
  expect(schema.$id).toBe('urn:reins:schema:settings');
});

interface SettingSchema {
  readonly description?: string;
  readonly properties?: Record<string, SettingSchema>;
}

/** The settings of a section, and of the sections in it. */
function describedIn(path: string, value: unknown): { readonly path: string; readonly described: boolean }[] {
  return Object.entries((value as SettingSchema).properties ?? {}).flatMap(([name, setting]) => {
    const at = `${path}.${name}`;
    const isNested = path === 'protocols' && setting.properties !== undefined;
    return isNested ? describedIn(at, setting) : [{ path: at, described: setting.description !== undefined }];
  });
}

test('every setting has a meaning, which an editor shows', () => {
  const settings = Object.entries(schema.properties).flatMap(([section, value]) => describedIn(section, value));
  expect(settings.length).toBeGreaterThan(50);
  const missing = settings.filter(({ path, described }) => !described && !path.startsWith('orchestrator.'));
  expect(missing).toEqual([]);
});

test('the settings of this repository and of the documents are valid', () => {
  const [, example = ''] = /```yaml\n(# reins\.yaml\n[\s\S]*?)```/.exec(document) ?? [];
  const texts = [
    file('reins.yaml'),
    example,
    'orchestrator: { runtime_profile: { default: pi } }\nlog: { level: null }',
  ];
  expect(texts.map((text) => problems(parse(text)))).toEqual([[], [], []]);
});

test('both forms of a name are valid, and mistakes are marked', () => {
  expect(problems({ runtimeProfile: { workspaceMayUse: ['pi'] }, runtime_profile: { workspace_may_use: [] } })).toEqual(
    [],
  );
  expect(
    problems({
      nats: { replicas: 2, partitions: 0, adress: 'x' },
      log: { level: 'loud' },
      telemetry: { endpoint: 'http://user:secret@collector:4318' },
      runtime_profile: { stages: { exekute: 'pi' } },
      providers: { mine: { baseUrl: '' } },
    }).sort(),
  ).toEqual([
    '/log/level enum',
    '/nats additionalProperties',
    '/nats/partitions minimum',
    '/nats/replicas enum',
    '/providers/mine required',
    '/providers/mine/baseUrl minLength',
    '/runtime_profile/stages additionalProperties',
    '/telemetry/endpoint pattern',
  ]);
});
