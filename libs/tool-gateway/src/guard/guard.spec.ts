import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import fc from 'fast-check';
import { ArgumentGuard } from './argument-guard.ts';
import { isUnapproved } from './gate.ts';

describe('ArgumentGuard', () => {
  const problems = (schema: JsonObject, args: JsonObject) => new ArgumentGuard().problems('a.b', schema, args);

  test('describes invalid arguments for the model', async () => {
    const schema = {
      type: 'object',
      properties: { to: { enum: ['a', 'b'] }, at: { type: 'object', properties: { n: { type: 'integer' } } } },
      required: ['to'],
      additionalProperties: false,
    };
    expect(await problems(schema, { to: 'a', at: { n: 1 } })).toEqual([]);
    expect(await problems(schema, {})).toEqual(["the arguments must have required property 'to'"]);
    expect(await problems(schema, { to: 'c' })).toEqual(['to must be equal to one of the allowed values: ["a","b"]']);
    expect(await problems(schema, { to: 'a', at: { n: 1.5 } })).toEqual(['at.n must be integer']);
    expect(await problems(schema, { to: 'a', x: 1 })).toEqual(['the arguments must NOT have additional properties: x']);
  });

  test('accepts both drafts, and accepts all arguments when the schema cannot be used', async () => {
    const older = { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { type: 'string' } } };
    expect(await problems(older, { a: 1 })).toEqual(['a must be string']);
    expect(await problems({ $ref: 'https://example.invalid/schema' }, { a: 1 })).toEqual([]);
    expect(await problems({ type: 'nonsense' }, { a: 1 })).toEqual([]);
    expect(await problems({ patternProperties: { '^a$': { type: 'string' } } }, { a: 1 })).toEqual([]);
  });

  test('does not execute the regular expressions of a schema', async () => {
    const schema = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    // The expression does not match, and would take years to find that out.
    expect(await problems(schema, { a: `${'a'.repeat(40)}!` })).toEqual([]);
  });

  test('never throws, whatever the schema', async () => {
    const guard = new ArgumentGuard();
    let tools = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        async (schema, args) => {
          tools += 1;
          const found = await guard.problems(`a.${tools}`, schema as JsonObject, args as JsonObject);
          expect(Array.isArray(found)).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('isUnapproved', () => {
  test.each([
    ['a.x', ['a.x'], true],
    ['a.x', ['a.*'], true],
    ['a.x', ['a.y', 'x', 'a'], false],
    ['ab.x', ['a.*'], false],
    ['bash', ['bash'], true],
  ])('tool %s with the gates %j needs an approval: %s', (toolId, gated, denied) => {
    expect(isUnapproved(toolId, { gated_tools: gated, granted_tools: [] })).toBe(denied);
  });

  test('allows only the tools that the user approved', () => {
    const gates = { gated_tools: ['a.*', 'bash'], granted_tools: ['a.x'] };
    expect(isUnapproved('a.x', gates)).toBe(false);
    expect(isUnapproved('a.y', gates)).toBe(true);
    expect(isUnapproved('bash', gates)).toBe(true);
  });
});
