import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OutputValidator } from './output-validator.ts';

const VERDICT = {
  type: 'object',
  properties: { outcome: { enum: ['pass', 'fail'] }, reasons: { type: 'array', items: { type: 'string' } } },
  required: ['outcome', 'reasons'],
};

const form = await OutputValidator.of(VERDICT);
const open = await OutputValidator.of({});

describe('the form of an answer', () => {
  test.each([
    ['plain', '{"outcome":"pass","reasons":[]}'],
    ['with space around it', '\n {"outcome":"pass","reasons":[]} \n'],
    ['in a fence', '```json\n{"outcome":"pass","reasons":[]}\n```'],
    ['in a nameless fence', '```\n{"outcome":"pass","reasons":[]}\n```'],
  ])('JSON %s fits', (_how, answer) => {
    expect(form.check(answer)).toEqual({ valid: true, value: { outcome: 'pass', reasons: [] } });
  });

  test.each([
    ['words', 'It passes.'],
    ['words around JSON', 'Sure: {"outcome":"pass","reasons":[]}'],
    ['two values', '{"outcome":"pass","reasons":[]}\n{"outcome":"fail","reasons":[]}'],
    ['nothing', ''],
    ['a fence with words around it', 'Here:\n```json\n{"outcome":"pass","reasons":[]}\n```'],
  ])('%s do not: nothing is guessed', (_what, answer) => {
    expect(form.check(answer)).toEqual({ valid: false, problems: ['it is not one JSON value'] });
  });

  test('what is wrong is told by place', () => {
    expect(form.check('{"outcome":"maybe"}')).toEqual({
      valid: false,
      problems: [
        "the value must have required property 'reasons'",
        '/outcome must be equal to one of the allowed values: ["pass","fail"]',
      ],
    });
  });

  test('every JSON value passes through a form that admits all', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(open.check(JSON.stringify(value))).toEqual({ valid: true, value: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  test('older drafts and formats are taken; what is no schema is refused', async () => {
    const older = await OutputValidator.of({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'string',
      format: 'uri',
    });
    expect(older.check('"x"')).toEqual({ valid: true, value: 'x' });
    await expect(OutputValidator.of({ type: 'no-such-type' })).rejects.toThrow(/output schema/);
  });
});
