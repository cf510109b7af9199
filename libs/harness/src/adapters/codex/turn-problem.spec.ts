import { expect, test } from '@jest/globals';
import { turnProblem } from './turn-problem.ts';

const failed = (message: string, codexErrorInfo: unknown) => turnProblem({ message, codexErrorInfo } as never);

test.each([
  [
    'unexpected status 401 Unauthorized: scripted 401, url: http://127.0.0.1:1/v1/responses, request id: r1',
    { httpConnectionFailed: { httpStatusCode: 401 } },
    { code: 'model_unauthorized', message: 'the model endpoint responded with 401: scripted 401' },
  ],
  [
    'exceeded retry limit, last status: 429 Too Many Requests',
    { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
    { code: 'model_rate_limited' },
  ],
  [
    'High demand.',
    'internalServerError',
    { code: 'model_unavailable', message: 'the model call failed: High demand.' },
  ],
  [
    '{"error":{"message":"bad model","type":"invalid_request_error","code":null}}',
    'other',
    { code: 'model_call_refused', message: 'the model endpoint responded with 400: bad model' },
  ],
  ['stream disconnected before completion: stream closed', 'other', { code: 'model_answer_cut' }],
  [
    'unexpected status 502 Bad Gateway: the provider cannot be reached (ECONNREFUSED), url: http://127.0.0.1:1/v1',
    { httpConnectionFailed: { httpStatusCode: 502 } },
    { code: 'model_unavailable', message: 'the provider cannot be reached (ECONNREFUSED)' },
  ],
  [
    'scripted 404',
    'modelNotFound',
    { code: 'model_call_refused', message: 'the model endpoint responded with 404: scripted 404' },
  ],
  ['Too long.', 'contextWindowExceeded', { code: 'model_call_refused' }],
  ['New.', { somethingNew: null }, { code: 'model_unavailable' }],
])('reads %s', (message, info, problem) => {
  expect(failed(message, info)).toMatchObject(problem);
});
