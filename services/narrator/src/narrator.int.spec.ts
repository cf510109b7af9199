import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Blobs, type Bus, connectBus, decodeEventHeaders, OrderedPublisher, openBucket, provision } from '@reins/bus';
import {
  type AnyEvent,
  type EventOf,
  eventSubject,
  type JsonObject,
  parseEvent,
  type TraceHeaders,
  traceHeadersOf,
} from '@reins/contracts';
import { type RunningService, Settings, startService } from '@reins/service-kit';
import { startNats, type TestNats, tempDir, until } from '@reins/testing';
import { compileWorkspace } from '@reins/workspace-plan';
import { narrator } from './index.ts';

let nats: TestNats;
let bus: Bus;
let settings: Settings;
let service: RunningService | undefined;
const narrations: EventOf<'runtime.progress.narration'>[] = [];
/** The trace headers of the narrations of each request. */
const traces = new Map<string, TraceHeaders>();

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 2, replicas: 1, runtimeIds: [] });
  const provider = join(await tempDir('narrator'), 'brief.mjs');
  await writeFile(
    provider,
    `export default { narrate: ({ type }) => { if (type.endsWith('cancelled')) throw new Error('no'); return { message: 'brief: ' + type, model: 'm' }; } };`,
  );
  const long = join(await tempDir('narrator'), 'long.mjs');
  await writeFile(
    long,
    `export default { narrate: ({ type }) => ({ message: type.endsWith('started') ? 'x'.repeat(8193) : 'short' }) };`,
  );
  settings = new Settings();
  Object.assign(settings.nats, { url: nats.url, partitions: 2 });
  Object.assign(settings.http, { port: 0 });
  Object.assign(settings.log, { level: 'error' });
  settings.narration.providers = { brief: provider, long };
  bus.nc.subscribe('runtime.progress.narration.>', {
    callback: (_, message) => {
      const body = parseEvent(message.data) as EventOf<'runtime.progress.narration'>;
      narrations.push(body);
      traces.set(body.requestId, traceHeadersOf(decodeEventHeaders((name) => message.headers?.get(name) || undefined)));
    },
  });
  await bus.nc.flush();
  service = await startService(narrator, settings);
});

afterAll(async () => {
  await service?.stop();
  await bus.close();
  await nats.stop();
});

/** Publishes the plan of a workspace, then facts, like the control bus. */
async function publishRun(requestId: string, runtime: string, facts: readonly JsonObject[]): Promise<void> {
  const workspaceYaml = `agents: {id: a, model: m}\nmcp_registry: {servers: {}}\n${runtime}`;
  const compiled = compileWorkspace({ workspaceId: 'ws', workspaceYaml, references: {} });
  if (!compiled.ok) throw new Error(compiled.error.message);
  const planRef = await (await Blobs.open(bus)).put(new TextEncoder().encode(JSON.stringify({ plan: compiled.plan })));
  const head = { requestId, sessionId: 's', agentId: 'a', workspaceId: 'ws' };
  const plan = {
    type: 'runtime.plan.compiled',
    effectId: 'p',
    planRef: { sha256: planRef.sha256, size: planRef.size },
    configChecksum: 'c'.repeat(64),
    inputsChecksum: '1'.repeat(64),
    diagnostics: [],
  };
  const publisher = new OrderedPublisher(bus);
  for (const [index, fact] of [{ type: 'runtime.request.started' }, plan, ...facts].entries()) {
    const body = { ...fact, ...head } as unknown as AnyEvent;
    const headers = { id: `${requestId}.${index}`, type: body.type, source: 'test', time: new Date().toISOString() };
    const subject = eventSubject({ type: body.type, workspaceId: 'ws', requestId });
    publisher.publish({ subject, data: new TextEncoder().encode(JSON.stringify(body)), headers });
  }
  await publisher.settled();
  await publisher.close();
}

const STAGE = { effectId: 'e', stage: 'execute', runtimeId: 'pi', attempt: 1 };
const FACTS: readonly JsonObject[] = [
  { type: 'runtime.stage.started', ...STAGE, hostId: 'h', timings: {}, mcpServerMappings: [] },
  { type: 'runtime.stage.cancelled', ...STAGE },
];
const of = (requestId: string) => narrations.filter((body) => body.requestId === requestId);

test('narrates a run whose workspace enables it, and references the source event of each narration', async () => {
  await publishRun('silent', '', FACTS);
  await publishRun('narrated', 'runtime: {progress: {narration: {enabled: true, style: concise}}}', FACTS);
  await until(() => of('narrated').length === 3);
  expect(
    of('narrated').map(({ message, provider, style, sourceEventIds }) => [message, provider, style, sourceEventIds]),
  ).toEqual([
    ['The workspace was compiled.', 'template', 'concise', ['narrated.1']],
    ['pi does the work.', 'template', 'concise', ['narrated.2']],
    ['The stage execute was cancelled.', 'template', 'concise', ['narrated.3']],
  ]);
  expect(of('silent')).toEqual([]);
});

test('narrates a model call without a response, but not the preparation of a stage', async () => {
  const progress = (label: string) => ({ type: 'runtime.stage.progress', ...STAGE, label });
  const silent = 'waits for a model call to p/m, no response for 10 s; the attempt ends at 10:00:00 UTC';
  const answered = 'continues: the model call to p/m has a response after 12 s';
  const facts = [progress('starting MCP servers clock'), progress(silent), progress(answered), ...FACTS.slice(1)];
  await publishRun('waits', 'runtime: {progress: {narration: {enabled: true}}}', facts);
  await until(() => of('waits').length === 4);
  expect(of('waits').map(({ message }) => message)).toEqual([
    'The workspace was compiled.',
    `The stage execute ${silent}.`,
    `The stage execute ${answered}.`,
    'The stage execute was cancelled.',
  ]);
});

test('uses a provider of the installation, and skips events on which it fails', async () => {
  await publishRun('brief', 'runtime: {progress: {narration: {enabled: true, provider: brief}}}', FACTS);
  await publishRun('after', 'runtime: {progress: {narration: {enabled: true}}}', FACTS);
  await until(() => of('after').length === 3);
  expect(of('brief').map(({ message, model }) => [message, model])).toEqual([
    ['brief: runtime.plan.compiled', 'm'],
    ['brief: runtime.stage.started', 'm'],
  ]);
});

test('does not publish a message that is too long', async () => {
  await publishRun('long', 'runtime: {progress: {narration: {enabled: true, provider: long}}}', FACTS);
  await until(() => of('long').length === 2);
  expect(of('long').map(({ message, sourceEventTypes }) => [message, sourceEventTypes])).toEqual([
    ['short', ['runtime.plan.compiled']],
    ['short', ['runtime.stage.cancelled']],
  ]);
});

/** A fact of a run, published like the control bus publishes it. */
async function publishFact(
  requestId: string,
  id: string,
  fact: JsonObject,
  workspaceId = 'ws',
  trace: TraceHeaders = {},
): Promise<void> {
  const publisher = new OrderedPublisher(bus);
  const body = { ...fact, requestId, sessionId: 's', agentId: 'a', workspaceId } as unknown as AnyEvent;
  const headers = { id, type: body.type, source: 'test', time: new Date().toISOString(), ...trace };
  const subject = eventSubject({ type: body.type, workspaceId, requestId });
  await publisher.publishAll([{ subject, data: new TextEncoder().encode(JSON.stringify(body)), headers }]);
  await publisher.close();
}

const [STARTED = {}] = FACTS;

test('a narration is in the trace of its event', async () => {
  const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=1' };
  await publishRun('traced', 'runtime: {progress: {narration: {enabled: true}}}', []);
  await publishFact('traced', 'traced.2', STARTED, 'ws', trace);
  await until(() => of('traced').length === 2);
  expect(traces.get('traced')).toEqual(trace);
});

test('narrates a run of which an event precedes the plan', async () => {
  await publishFact('early', 'early.0', STARTED, 'other');
  await publishFact('early', 'early.00', STARTED);
  await publishRun('early', 'runtime: {progress: {narration: {enabled: true}}}', FACTS);
  await until(() => of('early').some(({ message }) => message === 'The stage execute was cancelled.'));
  expect(of('early').map(({ message }) => message)).toEqual(
    expect.arrayContaining(['The workspace was compiled.', 'pi does the work.']),
  );
});

test('a run that never compiles a plan is narrated as the last plan of its workspace says', async () => {
  await publishRun('planned', 'runtime: {progress: {narration: {enabled: true}}}', FACTS);
  await publishFact('planless', 'planless.0', STARTED);
  await until(() => of('planless').length === 1);
  expect(of('planless')[0]).toMatchObject({ message: 'pi does the work.', sourceEventIds: ['planless.0'] });
});

test('the installation narrates all runs, or none', async () => {
  const positions = await openBucket<{ readonly seq: number }>(bus, 'positions');
  for (const [runs, expected] of [
    ['all', ['pi does the work.']],
    ['none', []],
  ] as const) {
    await service?.stop();
    const own = Object.assign(new Settings(), settings, { narration: { runs, providers: {} } });
    service = await startService(narrator, own);
    const requestId = `switch-${runs}`;
    await publishFact(requestId, requestId, STARTED, `ws-${runs}`);
    await publishRun(`plan-${runs}`, 'runtime: {progress: {narration: {enabled: true}}}', FACTS);
    const { state } = await bus.jsm.streams.info('EVENTS');
    await until(async () => ((await positions.get('narrator'))?.value.seq ?? 0) >= state.last_seq);
    expect(of(requestId).map(({ message }) => message)).toEqual(expected);
    expect(of(`plan-${runs}`)).toHaveLength(runs === 'all' ? 3 : 0);
  }
  await service?.stop();
  service = await startService(narrator, settings);
});

test('narrates events that were published while it was stopped', async () => {
  await service?.stop();
  await publishRun('away', 'runtime: {progress: {narration: {enabled: true}}}', FACTS);
  service = await startService(narrator, settings);
  await until(() => of('away').length === 3);
  expect(of('narrated')).toHaveLength(3);
});

test('continues after a position of an earlier version, which has only the sequence', async () => {
  await service?.stop();
  const positions = await openBucket<{ readonly seq: number }>(bus, 'positions');
  const saved = (await positions.get('narrator'))?.value;
  expect(saved).toEqual({
    seq: expect.any(Number),
    created: expect.any(String),
    ceId: expect.any(String),
    time: expect.any(String),
  });
  await positions.put('narrator', { seq: saved?.seq ?? 0 });
  await publishRun('upgraded', 'runtime: {progress: {narration: {enabled: true}}}', FACTS);
  service = await startService(narrator, settings);
  await until(() => of('upgraded').length === 3);
  expect(of('away')).toHaveLength(3);
});

test('narrates the events of a log that was replaced while it was stopped', async () => {
  await service?.stop();
  await bus.jsm.streams.delete('EVENTS');
  await provision(bus, { managed: 'self', partitions: 2, replicas: 1, runtimeIds: [] });
  await publishRun('replaced', 'runtime: {progress: {narration: {enabled: true}}}', FACTS);
  service = await startService(narrator, settings);
  await until(() => of('replaced').length === 3);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^reins_narrator_gaps_total\{reason="replaced"[^}]*\} 1$/m);
});

test('is not blocked by invalid messages', async () => {
  const requestId = 'garbage';
  await bus.js.publish(eventSubject({ type: 'runtime.plan.compiled', workspaceId: 'ws', requestId }), 'not json');
  await bus.js.publish(eventSubject({ type: 'runtime.stage.started', workspaceId: 'ws', requestId }), '{}');
  await publishRun('behind', 'runtime: {progress: {narration: {enabled: true}}}', FACTS);
  await until(() => of('behind').length === 3);
});

test('does not start when a provider cannot be loaded', async () => {
  const broken = new Settings();
  Object.assign(broken, settings, { narration: { providers: { gone: '/nowhere.mjs' } } });
  await expect(startService(narrator, broken)).rejects.toMatchObject({
    code: 'settings_invalid',
    path: 'narration.providers.gone',
  });
});
