import { expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@reins/contracts';
import fc from 'fast-check';
import { assertSchema, schemaProblems } from './index.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'number' }, s: { type: 'string' }, of: { type: 'array', items: { minimum: 3 } } },
  additionalProperties: false,
};

test.each<[JsonValue, string[]]>([
  [{ n: 1, s: 'x', of: [3] }, []],
  [{}, ['inputs']],
  [{ s: 1, of: [1, 4, 2] }, ['inputs', 'inputs/s', 'inputs/of/0', 'inputs/of/2']],
  [{ n: 1, more: 2 }, ['inputs/more']],
  [null, ['inputs']],
])('%j: every invalid place is reported, and no other', (value, places) => {
  const problems = schemaProblems(SCHEMA, value, 'inputs');
  expect(problems.map(({ path }) => path)).toEqual(places);
  expect(
    problems.every(({ code, message, path }) => code === 'request_invalid' && message.startsWith(`${path}: `)),
  ).toBe(true);
});

test.each<JsonObject>([{ type: 'weird' }, { $ref: '#/no' }, { pattern: '(' }])(
  '%j is not a schema, and every value is invalid',
  (schema) => {
    expect(() => assertSchema(schema, 'x', 'inputs')).toThrow(expect.objectContaining({ code: 'request_invalid' }));
  },
);

test.each<[JsonObject, JsonValue]>([
  [{ properties: { 'a/b': { items: { pattern: '^\\d+$' } } } }, { 'a/b': ['x'] }],
  [{ $defs: { n: { pattern: '^\\d+$' } }, additionalProperties: { $ref: '#/$defs/n' } }, { v: 'x' }],
])('a text that does not match a pattern is reported with the pattern: %j', (schema, value) => {
  const [problem] = schemaProblems(schema, value, 'input').filter(({ message }) => message.includes('pattern'));
  expect(problem?.message).toMatch(/does not match pattern\. The pattern is \^\\d\+\$$/);
});

test('uses the draft that the schema names', () => {
  const tuple = { items: [{ type: 'string' }] };
  const older = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple };
  expect(schemaProblems(older, [1], 'value')).toMatchObject([{ path: 'value/0' }]);
});

test('returns a list of problems for any schema and value', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('type', 'items', 'enum', 'not', '$ref', 'properties'), fc.jsonValue()),
      fc.jsonValue(),
      (schema, value) => {
        const problems = schemaProblems(schema as JsonObject, value as JsonValue, 'inputs');
        expect(problems.every(({ path }) => path?.startsWith('inputs'))).toBe(true);
      },
    ),
  );
});
