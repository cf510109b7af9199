import { expect, test } from '@jest/globals';
import { messageProblem } from '../adapters/pi/message-problem.ts';
import { modelFailure } from './model-failure.ts';

const DOOR = {
  type: 'model_unavailable',
  code: 'model_unavailable',
  status: 'model_unavailable',
  message: 'the provider cannot be reached (ECONNREFUSED)',
};

test.each([
  [502, JSON.stringify({ type: 'error', error: DOOR }), DOOR.message],
  [502, JSON.stringify(DOOR), DOOR.message],
  [
    400,
    '{"error": {"message": "bad model", "type": "invalid_request_error", "code": null}}',
    'the model endpoint responded with 400: bad model',
  ],
  [400, '{"error": "bad model"}', 'the model endpoint responded with 400: bad model'],
  [404, '', 'the model endpoint responded with 404'],
  [404, '{}', 'the model endpoint responded with 404'],
  [500, 'oops', 'the model endpoint responded with 500: oops'],
])('a response with %d and %s is one sentence', (status, body, message) => {
  expect(modelFailure(status, body)).toBe(message);
});

test.each([
  [`502: ${JSON.stringify(DOOR)}`, 'model_unavailable', DOOR.message],
  [`502 ${JSON.stringify({ error: DOOR })}`, 'model_unavailable', DOOR.message],
  ['404 status code (no body)', 'model_call_refused', 'the model endpoint responded with 404'],
  ['429 slow down', 'model_rate_limited', 'the model endpoint responded with 429: slow down'],
  ['Connection error.', 'model_unavailable', 'the model call failed: Connection error.'],
])('pi reports %s as %s', (errorMessage, code, message) => {
  expect(messageProblem({ stopReason: 'error', errorMessage } as never)).toEqual({ code, message });
});
