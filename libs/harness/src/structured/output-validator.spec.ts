import { describe, expect, test } from '@jest/globals';
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
  ])('accepts JSON: %s', (_how, answer) => {
    expect(validator.check(answer)).toEqual({ valid: true, value: { outcome: 'pass', reasons: [] } });
  });

  test.each([
    ['prose', 'It passes.'],
    ['prose around JSON', 'Sure: {"outcome":"pass","reasons":[]}'],
    ['two values', '{"outcome":"pass","reasons":[]}\n{"outcome":"fail","reasons":[]}'],
    ['an empty answer', ''],
    ['prose around a code fence', 'Here:\n```json\n{"outcome":"pass","reasons":[]}\n```'],
  ])('rejects %s', (_what, answer) => {
    expect(validator.check(answer)).toEqual({ valid: false, problems: ['it is not one JSON value'] });
  });

  test('reports the path of each problem', () => {
    expect(validator.check('{"outcome":"maybe"}')).toEqual({
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

  test('accepts every JSON value for an empty schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(anyValue.check(JSON.stringify(value))).toEqual({
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
    expect(older.check('"x"')).toEqual({ valid: true, value: 'x' });
    await expect(OutputValidator.of({ type: 'no-such-type' })).rejects.toThrow(/output schema/);
  });
});
