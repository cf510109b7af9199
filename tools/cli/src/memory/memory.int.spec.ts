import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, OrderedPublisher, openBucket, provision } from '@reins/bus';
import { type AnyEvent, type ApiKeyRecord, eventSubject } from '@reins/contracts';
import { gateway } from '@reins/gateway';
import { memory } from '@reins/memory';
import { type RunningService, Settings, startService } from '@reins/service-kit';
import { startNats, startPostgres, type TestNats, type TestPostgres, until } from '@reins/testing';
import { runProgram } from '../program.ts';

let nats: TestNats;
let postgres: TestPostgres;
let bus: Bus;
let api: RunningService;
let service: RunningService;

beforeAll(async () => {
  [nats, postgres] = await Promise.all([startNats(), startPostgres()]);
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 2, replicas: 1, runtimeIds: [] });
  const hash = createHash('sha256').update('5ec2e7').digest('hex');
  const key: ApiKeyRecord = { id: '0a', name: 'operator', hash, createdAt: new Date().toISOString() };
  await (await openBucket<ApiKeyRecord>(bus, 'keys')).put('0a', key);
  const settings = new Settings();
  Object.assign(settings.nats, { url: nats.url, partitions: 2 });
  settings.database.url = await postgres.createDatabase();
  settings.http.port = 0;
  settings.log.level = 'error';
  settings.host.runtimes = [];
  api = await startService(gateway, settings);
  service = await startService(memory, settings);
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200, { what: 'memory is ready' });
});

afterAll(async () => {
  await service?.stop();
  await api?.stop();
  await bus?.close();
  await nats?.stop();
  await postgres?.stop();
});

/** Runs a command, and returns its exit code and what it printed. */
async function reins(...args: string[]) {
  let out = '';
  let err = '';
  const exit = await runProgram(['memory', ...args], {
    env: { REINS_URL: api.url, REINS_API_KEY: 'rk_0a_5ec2e7', REINS_STATE_DIR: '/nonexistent' },
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { exit, out, err };
}

/** Runs a command that succeeds, and returns its JSON. */
async function json(...args: string[]) {
  const { exit, out } = await reins(...args, '--json');
  expect([args, exit, out]).toEqual([args, 0, out]);
  return JSON.parse(out);
}

test('a preference is added, found, edited, shown with its history, and forgotten', async () => {
  const text = 'I deploy on Fridays';
  const { decision, record } = await json('add', 'user/ann', text, '--kind', 'preference', '--confidence', '0.8');
  expect([decision, record.kind, record.confidence, record.source]).toEqual([
    'accepted',
    'preference',
    0.8,
    { person: 'operator' },
  ]);
  expect((await reins('add', 'user/ann', 'i deploy on fridays!', '--kind', 'preference')).out).toMatch(
    new RegExp(`^duplicate ${record.id}\n`),
  );
  expect((await json('search', 'deploying')).records).toEqual([record]);
  const edited = (await json('edit', record.id, 'I deploy on Thursdays')).record;
  const { records } = await json('history', record.id);
  expect(records.map(({ status }: { status: string }) => status)).toEqual(['superseded', 'active']);
  expect((await reins('show', edited.id)).out).toContain('text         I deploy on Thursdays\n');
  expect(await json('forget', edited.id, '--reason', 'wrong')).toEqual({ recordIds: [record.id, edited.id] });
  expect((await json('list', 'user/ann')).records).toEqual([]);
  const { out } = await reins('list', 'user/ann', '--status', 'any');
  expect(out).toContain('forgotten');
  expect(out).not.toContain('deploy');
  expect((await reins('forget', edited.id)).out).toBe(`${edited.id} was already forgotten\n`);
});

test('a list names the next page, and namespaces are counted', async () => {
  for (const text of ['one', 'two', 'three']) await json('add', 'workspace/pages', text);
  const first = await reins('list', 'workspace/pages', '--limit', '2');
  const cursor = /use --cursor (\S+)/.exec(first.err)?.[1] ?? '';
  const { records } = await json('list', 'workspace/pages', '--limit', '2', '--cursor', cursor);
  expect(records.map(({ text }: { text: string }) => text)).toEqual(['one']);
  const { namespaces } = await json('namespaces');
  expect(namespaces).toContainEqual({ namespace: 'workspace/pages', active: 3, superseded: 0, forgotten: 0 });
  expect((await reins('namespaces')).out).toMatch(/^workspace\/pages +3 +0 +0$/m);
});

test('records are recalled with their scores, and explained', async () => {
  await json('add', 'user/eve', 'Eve reviews pull requests on Mondays');
  await json('add', 'user/eve', 'The office is in Oslo', '--kind', 'profile');
  await json('add', 'workspace/recall', 'Every pull request needs two reviews', '--kind', 'procedure');
  const query = 'who reviews pull requests?';
  const spaces = ['--namespace', 'user/eve', 'workspace/recall'];
  const { recalled } = await json('recall', query, ...spaces);
  expect(recalled.map(({ record }: { record: { namespace: string } }) => record.namespace).sort()).toEqual([
    'user/eve',
    'workspace/recall',
  ]);
  const { out } = await reins('recall', query, ...spaces, '--explain', '--limit', '1');
  expect(out.split('\n')[0]).toMatch(
    /^id +score +words +entities +recency +importance +usage +diversity +namespace +kind +text$/,
  );
  expect(out.trim().split('\n')).toHaveLength(3);
  const [first, second] = recalled.map(({ record }: { record: { id: string } }) => record.id);
  expect((await reins('rate', first, '--useless')).out).toBe(`rated ${first} as useless\n`);
  expect((await json('rate', second)).ratings).toEqual({ useful: 1, useless: 0 });
  expect((await reins('show', first)).out).toContain('ratings      0 useful, 1 useless\n');
  expect((await reins('recall', query)).exit).toBe(2);
});

test('the tables are verified and rebuilt', async () => {
  await json('add', 'workspace/verified', 'a text');
  expect((await json('verify')).differences).toEqual([]);
  expect((await reins('rebuild')).out).toMatch(/^\d+ records rebuilt; 0 of them differed\n$/);
});

test('a text from elsewhere cannot control the terminal', async () => {
  await json('add', 'workspace/hostile', 'red \u001b[31m\nfake line');
  expect((await reins('list', 'workspace/hostile')).out).toContain('red \\x1b[31m fake line');
});

test('errors have their code, path and hint, as JSON and as text', async () => {
  const secret = await reins('add', 'workspace/w', 'the password is hunter2!', '--json');
  expect([secret.exit, JSON.parse(secret.out).error]).toEqual([
    1,
    expect.objectContaining({ code: 'memory_secret_found', path: 'text', hint: expect.any(String) }),
  ]);
  expect((await reins('add', 'team/w', 'x')).err).toMatch(/^memory_namespace_invalid at namespace: .*\n {2}Use user/m);
  expect((await reins('show', 'none')).exit).toBe(1);
  expect((await reins('list', '--limit', 'x')).exit).toBe(2);
  expect((await reins('add', 'user/ann', 'x', '--confidence', '2')).err).toContain('--confidence must be a number');
});

test('shows what a request recalled, and the recalls that failed', async () => {
  const head = { requestId: 'r1', sessionId: 's', agentId: 'main', workspaceId: 'ws' };
  const publisher = new OrderedPublisher(bus);
  const put = (body: AnyEvent) => {
    const headers = { id: body.type, type: body.type, source: 'test', time: new Date().toISOString() };
    const data = new TextEncoder().encode(JSON.stringify(body));
    return publisher.publishAll([{ subject: eventSubject(body), data, headers }]);
  };
  const context = '- [m1] fact, 2026-01-31: "on Fridays"\n- [m2] fact, 2026-01-31: "at noon"';
  const recalled = { namespace: 'user/ann', recordIds: ['m1', 'm2'], context };
  const error = { code: 'service_unavailable', message: 'Postgres does not respond' };
  const record = { ...head, acceptedAt: new Date().toISOString(), revision: 'a'.repeat(64), bodyHash: 'h' };
  await (await openBucket(bus, 'requests')).put('run.r1', record);
  await put({ type: 'runtime.memory.recall.completed', ...head, effectId: 'e1', ...recalled });
  await put({ type: 'runtime.memory.recall.failed', ...head, effectId: 'e2', namespace: 'workspace', error });
  await publisher.close();
  expect(await json('used', 'r1')).toMatchObject({ recalled: [recalled], failed: [{ namespace: 'workspace', error }] });
  const { out } = await reins('used', 'r1');
  expect(out).toBe(`user/ann\n  ${context.replace('\n', '\n  ')}\nworkspace: failed: Postgres does not respond\n`);
});
