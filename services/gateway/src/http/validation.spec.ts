import { describe, expect, test } from '@jest/globals';
import { SignalRequest } from '../run-commands/run-commands.dto.ts';
import { RequestValidationPipe } from './validation.ts';

const nested = (levels: number): unknown => (levels === 1 ? {} : { a: nested(levels - 1) });
const validate = (type: 'body' | 'query', levels: number) =>
  new RequestValidationPipe().transform(nested(levels), { type, metatype: Object });

describe('the depth of a request', () => {
  test('accepts 105 levels', async () => {
    expect(await validate('body', 105)).toEqual(nested(105));
  });

  test.each(['body', 'query'] as const)('rejects a %s of 106 levels, and names the limit', async (type) => {
    await expect(validate(type, 106)).rejects.toMatchObject({
      code: 'request_invalid',
      message: `the ${type} must have at most 105 levels`,
    });
  });
});

test('an unknown field is refused with the field that was meant', async () => {
  const transform = (body: object) =>
    new RequestValidationPipe().transform(body, { type: 'body', metatype: SignalRequest });
  await expect(transform({ name: 'go', paylod: 1 })).rejects.toMatchObject({
    message: 'unknown field paylod',
    hint: 'Did you mean payload?',
  });
  const refused = await transform({ name: 'go', colour: 1 }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: 'unknown field colour' });
  expect(refused).not.toHaveProperty('hint', expect.anything());
});

describe('a number that JavaScript cannot represent', () => {
  test.each([
    ['1e400', ''],
    ['{"input": -1e400}', 'input'],
    ['{"input": {"a": [1, {"b": 1e400}]}}', 'input.a[1].b'],
  ])('is rejected in %s', async (json, path) => {
    const body = new RequestValidationPipe().transform(JSON.parse(json), { type: 'body', metatype: Object });
    await expect(body).rejects.toMatchObject({ code: 'request_invalid', path });
  });
});
