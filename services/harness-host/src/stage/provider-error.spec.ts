import { expect, test } from '@jest/globals';
import type { ErrorCode } from '@reins/contracts';
import type { HarnessResult } from '@reins/harness';
import { withProvider } from './provider-error.ts';

const REQUEST = { provider_id: 'mine', model_client: { base_url: 'http://u:p@127.0.0.1:8001/v1?key=k' } } as never;
const failed = (code: ErrorCode, message: string): HarnessResult => ({
  status: 'failed',
  error: { code, message },
  retryable: false,
});
const messageOf = (result: HarnessResult) => (result.status === 'failed' ? result.error.message : undefined);

test.each<[ErrorCode, string, string]>([
  [
    'model_unavailable',
    'the provider cannot be reached (ECONNREFUSED)',
    'the provider mine at http://127.0.0.1:8001/v1 cannot be reached (ECONNREFUSED) (providers.mine.base_url)',
  ],
  [
    'model_call_refused',
    'the model endpoint responded with 404',
    'the provider mine at http://127.0.0.1:8001/v1 responded with 404 (providers.mine.base_url)',
  ],
  [
    'model_unauthorized',
    'the model endpoint responded with 401: no such key',
    'the provider mine at http://127.0.0.1:8001/v1 responded with 401: no such key (providers.mine.api_key)',
  ],
])('%s names the provider, its address and the setting', (code, message, named) => {
  expect(messageOf(withProvider(failed(code, message), REQUEST))).toBe(named);
});

test('other errors, and those of runs without a provider, stay as they are', () => {
  const other = failed('model_call_refused', 'this run may use only the model m');
  expect(withProvider(other, REQUEST)).toBe(other);
  const cut = failed('model_answer_cut', 'the provider has gone');
  expect(withProvider(cut, REQUEST)).toBe(cut);
  const none = failed('model_unavailable', 'the provider cannot be reached');
  expect(withProvider(none, { provider_id: null, model_client: null } as never)).toBe(none);
});
