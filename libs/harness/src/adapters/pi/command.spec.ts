import { expect, test } from '@jest/globals';
import { packageFile } from './command.ts';

test('an installation without pi says so', () => {
  const missing = (): never => {
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  };
  expect(() => packageFile(missing)).toThrow(
    expect.objectContaining({ code: 'harness_start_failed', message: 'pi is not installed' }),
  );
});
