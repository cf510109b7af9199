import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import fc from 'fast-check';
import { invalidOutputProblem, OutputValidator } from './output-validator.ts';

const VERDICT = {
  type: 'object',
  properties: { outcome: { enum: ['pass', 'fail'] }, reasons: { type: 'array', items: { type: 'string' } } },
  required: ['outcome', 'reasons'],
};

const validator = await OutputValidator.of(VERDICT);
const anyValue = await OutputValidator.of({});

describe('OutputValidator', () => {
  test.each([
    ['plain', '{"outcome":"pass","reasons":[]}'],
    ['with white space around it', '\n {"outcome":"pass","reasons":[]} \n'],
    ['in a code fence', '```json\n{"outcome":"pass","reasons":[]}\n```'],
    ['in a code fence without a language', '```\n{"outcome":"pass","reasons":[]}\n```'],
  ])('accepts JSON: %s', async (_how, answer) => {
    expect(await validator.check(answer)).toEqual({ valid: true, value: { outcome: 'pass', reasons: [] } });
  });

  test.each([
    ['prose', 'It passes.'],
    ['prose around JSON', 'Sure: {"outcome":"pass","reasons":[]}'],
    ['two values', '{"outcome":"pass","reasons":[]}\n{"outcome":"fail","reasons":[]}'],
    ['an empty answer', ''],
    ['prose around a code fence', 'Here:\n```json\n{"outcome":"pass","reasons":[]}\n```'],
  ])('rejects %s', async (_what, answer) => {
    expect(await validator.check(answer)).toEqual({ valid: false, problems: ['it is not one JSON value'] });
  });

  test('reports the path of each problem', async () => {
    expect(await validator.check('{"outcome":"maybe"}')).toEqual({
      valid: false,
      problems: [
        "the value must have required property 'reasons'",
        '/outcome must be equal to one of the allowed values: ["pass","fail"]',
      ],
    });
  });

  test.each([
    ['It passes.\n\nAll is well.', '; the answer begins with: It passes.\n\nAll is well.'],
    [`Sure: ${'word '.repeat(22)}sk-secret-0123456789 more`, `; the answer begins with: Sure: ${'word '.repeat(22)}…`],
    ['', ''],
    ['x'.repeat(200), ''],
  ])('the problem shows how the answer begins, and cuts no word: %j', (answer, shown) => {
    expect(invalidOutputProblem(answer, ['it is not one JSON value'])).toEqual({
      code: 'harness_output_invalid',
      message: `the answer does not match the output schema: it is not one JSON value${shown}`,
    });
  });

  test('accepts every JSON value for an empty schema', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await anyValue.check(JSON.stringify(value))).toEqual({
          valid: true,
          value: JSON.parse(JSON.stringify(value)),
        });
      }),
    );
  });

  test('accepts older drafts and formats, and rejects an invalid schema', async () => {
    const older = await OutputValidator.of({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'string',
      format: 'uri',
    });
    expect(await older.check('"x"')).toEqual({ valid: true, value: 'x' });
    await expect(OutputValidator.of({ type: 'no-such-type' })).rejects.toThrow(/output schema/);
  });

  const THREADS = 120_000;
  const letters = `${'a'.repeat(60)}!`;

  test.each([
    ['an expression', { properties: { a: { type: 'string', pattern: '^(a+)+$' } } }, { a: letters }],
    ['an expression of names', { patternProperties: { '^(a+)+$': {} } }, { [letters]: 1 }],
    ['references that double with each level', doubledReferences(40), 1],
  ])(
    'ends a validation that would take years, and does not block its process: %s',
    async (_what, schema, value) => {
      const slow = await OutputValidator.of(schema);
      expect(await slow.check(JSON.stringify(value))).toEqual({
        valid: false,
        problems: ['it cannot be compared with the schema within 5000 ms and 256 MB'],
      });
    },
    THREADS,
  );

  test(
    'executes usual expressions, and reports an invalid one',
    async () => {
      const code = await OutputValidator.of({ type: 'string', pattern: '^[A-Z]{2}$' });
      expect(await code.check('"NO"')).toEqual({ valid: true, value: 'NO' });
      expect(await code.check('"no"')).toEqual({
        valid: false,
        problems: ['the value must match pattern "^[A-Z]{2}$"'],
      });
      await expect(OutputValidator.of({ pattern: '(' })).rejects.toThrow(/output schema is invalid/);
    },
    THREADS,
  );
});

/** A schema in which each definition refers to the next one twice, so that there are 2^levels checks. */
function doubledReferences(levels: number): JsonObject {
  const next = (level: number) => ({ $ref: `#/$defs/l${level}` });
  const definitions = Array.from({ length: levels }, (_, level) => [
    `l${level}`,
    level === levels - 1 ? { type: 'number' } : { allOf: [next(level + 1), next(level + 1)] },
  ]);
  return { $defs: Object.fromEntries(definitions), ...next(0) };
}
