import { expect, test } from '@jest/globals';
import { requireApiKey, vendorLoginOf } from './vendor-login.ts';

test.each([
  ['https://api.anthropic.com', 'sk-ant-oat01-canary', 'Claude'],
  ['https://gateway.example/v1', 'sk-ant-ort01-canary', 'Claude'],
  ['https://api.openai.com/v1', 'eyJhbGciOi.canary', 'ChatGPT'],
  ['https://generativelanguage.googleapis.com/v1beta', 'ya29.canary', 'Google'],
  ['https://api.openai.com/v1', ' {"tokens": {"canary": 1}}', 'credentials file'],
])('for %s, %j is a login', (baseUrl, apiKey, kind) => {
  expect(vendorLoginOf({ baseUrl, apiKey })).toContain(kind);
  const refused = () => requireApiKey({ baseUrl, apiKey });
  expect(refused).toThrow(expect.objectContaining({ code: 'credentials_unsupported' }));
  expect(refused).not.toThrow(/canary/);
});

test.each([
  ['https://api.anthropic.com', 'sk-ant-api03-x'],
  ['https://api.openai.com/v1', 'sk-proj-x'],
  ['https://gateway.example/v1', 'eyJhbGciOi.x'],
  ['http://127.0.0.1:8000/v1', ''],
])('for %s, %j is a key', (baseUrl, apiKey) => {
  expect(() => requireApiKey({ baseUrl, apiKey })).not.toThrow();
});
