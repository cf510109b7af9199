import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CANARY, PrepFixture } from './testing/prep-fixture.ts';

const INSTALLATION = {
  'a key in the settings': CANARY,
  'a variable that host.secrets names': 'gh-variable-1',
  'a variable that apiKeyEnv names': 'sk-variable-2',
  'the token of the desktop': 'desktop-token-3',
  'the password of the bus': 'bus-password-4',
  'the password of the database': 'database-5',
  'a header of telemetry': 'telemetry-6',
  'a secret of an adapter': 'adapter-7',
};
const WORKSPACE = {
  'a header': 'header-8',
  'a header with an API key': 'header-9',
  'a variable of a server': 'variable-10',
  'a password in a URL': 'url-password-11',
  'a query value of a URL': 'query-12',
  'an argument': 'argument-13',
};
const SERVERS = `{
  far: {type: remote, url: "https://me:url-password-11@far.example/mcp?key=query-12",
    headers: {Authorization: "Bearer header-8", X-Api-Key: header-9, Accept: text/plain, X-Region: europe-west}},
  near: {type: local, command: [node, server.mjs, --token, argument-13], environment: {GH_TOKEN: variable-10, MODE: "true-blue"}}}`;

let prep: PrepFixture;
beforeAll(async () => {
  prep = await PrepFixture.start(
    (settings) => {
      const more = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:1/v1', apiKeyEnv: 'MORE_KEY' } as const;
      settings.providers = { ...settings.providers, more };
      settings.host.secrets = ['GH_PAT', 'SWITCH', 'UNSET'];
      settings.desktop.token = 'desktop-token-3';
      settings.database.url = 'postgres://reins-user:database-5@127.0.0.1:5432/reins';
      settings.telemetry.headers = { authorization: 'Bearer telemetry-6' };
      settings.harness = { pi: { api_key: 'adapter-7' } };
      const url = new URL(settings.nats.url);
      settings.nats.url = `nats://me:bus-password-4@${url.host}`;
    },
    { GH_PAT: 'gh-variable-1', MORE_KEY: 'sk-variable-2', SWITCH: 'true', UNNAMED: 'not-a-secret' },
  );
  await prep.offer('pi', ['model', 'mcp']);
});
afterAll(async () => {
  await prep.stop();
});

test.each(Object.entries({ ...INSTALLATION, ...WORKSPACE }))('%s is not stored anywhere', async (_kind, secret) => {
  const turn = {
    requestId: 'r0',
    input: `my key is ${secret}`,
    output: `${secret}!`,
    endedAt: '2026-11-21T10:00:00.000Z',
  };
  const { request, snapshot } = await prep.prepared(
    {
      // The preview of the instruction ends within the second one.
      input: { input: `Use "${secret}" ${'.'.repeat(100 - secret.length)}${secret}`, metadata: {} },
      context: { interview: `the brief names ${secret}`, session: { turns: [turn] } },
    },
    { servers: SERVERS, rest: `output: {schema: {type: object, description: "like ${secret}"}}\n` },
  );
  expect(request.instruction).toContain(`Use "${secret}"`);
  expect(JSON.stringify(snapshot)).not.toContain(secret);
  expect(JSON.stringify(snapshot)).not.toContain(secret.slice(0, -1));
});

test('keeps values that are not secret', async () => {
  const words = 'true not-a-secret text/plain europe-west true-blue reins-user far.example GH_PAT';
  const { snapshot } = await prep.prepared({ input: { input: words } }, { servers: SERVERS });
  expect(snapshot.raw_instruction).toBe(words);
});

test('does not redact the request itself', async () => {
  const { request } = await prep.prepared({ input: { input: 'Use header-8' } }, { servers: SERVERS });
  expect(request.instruction).toContain('Use header-8');
  expect(request.run_started_payload.instruction_preview).toBe('Use header-8');
  const [far, near] = request.mcp_servers;
  expect(far.config).toMatchObject({
    url: 'https://me:url-password-11@far.example/mcp?key=query-12',
    headers: { Authorization: 'Bearer header-8' },
  });
  expect(near.config.command).toContain('argument-13');
});
