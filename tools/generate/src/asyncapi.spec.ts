import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const document = JSON.parse(readFileSync(new URL('../../../docs/asyncapi.json', import.meta.url), 'utf8'));
const schema = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json');

test('docs/asyncapi.json conforms to the published AsyncAPI 3 schema', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  const valid = ajv.validate(schema, document);
  expect({ valid, errors: (ajv.errors ?? []).slice(0, 5) }).toEqual({ valid: true, errors: [] });
});

test('every reference resolves', () => {
  expect(refsOf(document).filter((ref) => !resolves(ref))).toEqual([]);
});

test('every address declares its parameters', () => {
  for (const { address, parameters = {} } of Object.values(document.channels) as Channel[])
    expect(Object.keys(parameters)).toEqual([...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
});

test('every type of the catalogue has a channel, and every channel an operation', () => {
  const types = Object.values(document.components.messages).map((message) => (message as { name: string }).name);
  const eventTypes = types.filter((type) => type.includes('.'));
  expect(eventTypes.length).toBeGreaterThan(80);
  expect(eventTypes.filter((type) => !(type in document.channels))).toEqual([]);
  const operationChannels = Object.values(document.operations).map(
    (operation) => (operation as Operation).channel.$ref,
  );
  expect(Object.keys(document.channels).filter((id) => !operationChannels.includes(`#/channels/${id}`))).toEqual([]);
});

interface Channel {
  readonly address: string;
  readonly parameters?: object;
}

interface Operation {
  readonly channel: { readonly $ref: string };
}

function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : refsOf(item)));
}

const resolves = (ref: string): boolean =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
      document,
    ) !== undefined;
