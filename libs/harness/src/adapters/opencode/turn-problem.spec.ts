import { expect, test } from '@jest/globals';
import { endProblem, retryProblem, turnProblem } from './turn-problem.ts';

const BODY = '{"error":{"message":"scripted 401","type":"invalid_request_error","code":"invalid_api_key"}}';

test('an error with a response is read by its status and body', () => {
  const error = { name: 'APIError', data: { message: 'scripted 401', statusCode: 401, responseBody: BODY } };
  expect(turnProblem(error)).toEqual({
    code: 'model_unauthorized',
    message: 'the model endpoint responded with 401: scripted 401',
  });
});

test('an error without a response is one of the call, and an aborted turn is none', () => {
  expect(turnProblem({ name: 'UnknownError', data: { message: 'Odd.' } })).toEqual({
    code: 'model_unavailable',
    message: 'the model call failed: Odd.',
  });
  expect(turnProblem({ name: 'MessageAbortedError', data: { message: 'Aborted' } })).toBeUndefined();
});

test.each([
  ['scripted 429', { status: 429, body: 'scripted 429' }, 'model_rate_limited', /429: scripted 429/],
  ['scripted 500', { status: 500, body: '' }, 'model_unavailable', /responded with 500/],
  ['Connection reset by server', { status: 200, body: '' }, 'model_answer_cut', /Connection reset by server/],
  ['The socket connection was closed unexpectedly.', undefined, 'model_answer_cut', /closed unexpectedly/],
  ['Unable to connect.', undefined, 'model_unavailable', /Unable to connect/],
])('a call that is tried again because of %s', (message, response, code, text) => {
  const problem = retryProblem(message, response);
  expect(problem.code).toBe(code);
  expect(problem.message).toMatch(text);
});

test('an answer that ends for an unknown reason is not complete', () => {
  expect(endProblem('unknown')).toMatchObject({
    code: 'model_answer_cut',
    message: expect.stringContaining('unknown'),
  });
});
