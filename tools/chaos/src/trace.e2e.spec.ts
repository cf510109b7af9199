import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lastMessageOn } from '@reins/bus';
import { type EventType, eventFilter, HEADERS } from '@reins/contracts';
import { METRICS } from '@reins/service-kit';
import { repositoryRoot, tempDir, until } from '@reins/testing';
import { workspaceFiles } from './load/workspaces.ts';
import { connectOperator } from './system/connect.ts';
import { Gateway, textField } from './system/gateway.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { OtlpReceiver, type ReceivedSpan } from './testing/otlp-receiver.ts';
import { type EndedRequest, endOf, filesOf, runWorkspace } from './testing/submit-request.ts';

const QUICKSTART = filesOf(join(repositoryRoot, 'examples', 'quickstart'));
const INPUT = 'Write the greeting, and mind the canary-of-the-prompt.';
const EXPORT_KEY = 'canary-of-the-exporter';
const CALLER = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=1,other=2',
  baggage: 'user=canary-of-the-baggage',
};

let receiver: OtlpReceiver;
let running: RunningSystem;
let ended: EndedRequest;
/** The request whose control bus was killed. */
let takenOver: EndedRequest;
/** The headers of events of a request whose caller has a trace. */
let eventHeaders: Readonly<Record<string, readonly (string | undefined)[]>>;
let spans: ReceivedSpan[];

beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  running = await startRunningSystem({
    dir: await tempDir('trace'),
    replicas: 1,
    log: () => {},
    settings: {
      runtime_profile: { default: 'openai_chat', stages: { execute: 'pi' } },
      model: { override: 'scripted/scripted-model' },
      telemetry: {
        endpoint: receiver.url,
        protocol: 'http/json',
        interval_ms: 100,
        headers: { authorization: `Bearer ${EXPORT_KEY}` },
      },
    },
  });
  ended = await runWorkspace(running, 'quickstart', QUICKSTART, { input: INPUT });
  await until(() => ['run', 'project'].every((name) => spansOfRequest().some((span) => span.name === name)), {
    what: 'the spans of the request',
  });
  await until(() => missingMetrics().length === 0, { what: 'every metric that is declared' });
  takenOver = await runAndKillOwner();
  eventHeaders = await runInTraceOfCaller();
  // Wait here: the export at shutdown is limited to 3 s.
  const requests = [ended.requestId, takenOver.requestId];
  await until(() => requests.every((requestId) => orphans(spansOfRequest(requestId)).length === 1), {
    what: 'the parents of all spans',
  });
  await running.stop(); // exports the remaining spans
  spans = spansOfRequest();
});

afterAll(async () => {
  await running?.stop();
  await receiver?.stop();
});

function spansOfRequest(requestId = ended.requestId): ReceivedSpan[] {
  const sent = receiver.spans.find(
    ({ name, attributes }) => name === 'send command.run.submit' && attributes['reins.request_id'] === requestId,
  );
  return receiver.spans.filter(({ traceId }) => traceId === sent?.traceId);
}

/** Spans whose parents are missing. In a complete trace, that is only the root. */
function orphans(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
}

/** Kills the owner of a run during a stage, after the earlier spans were exported. */
async function runAndKillOwner(): Promise<EndedRequest> {
  const alreadySent = receiver.spans.length;
  const request = { input: '@echo delay 1500\n@echo answer done', stages: { execute: 'echo' } };
  const end = runWorkspace(running, 'owner', workspaceFiles('owner'), request);
  await until(() => receiver.spans.slice(alreadySent).some(({ name }) => name === 'effect prepare'), {
    what: 'its stage',
  });
  await running.system.kill('control-bus');
  return end;
}

/** Submits a request in the trace of the caller. Returns the trace headers of its events by type. */
async function runInTraceOfCaller(): Promise<typeof eventHeaders> {
  const { url, apiKey } = running.gateway;
  const body = { workspace: { id: 'quickstart' }, input: '@echo answer done', stages: { execute: 'echo' } };
  const requestId = textField(await new Gateway(url, apiKey, CALLER).post('/requests', body), 'requestId');
  await endOf(running, requestId);
  const bus = await connectOperator(running.system, 'trace');
  const types: readonly EventType[] = ['runtime.request.started', 'runtime.stage.requested', 'runtime.stage.completed'];
  const found = await Promise.all(
    types.map(async (type) => {
      const message = await lastMessageOn(bus, 'EVENTS', eventFilter({ type, requestId }));
      const names = [HEADERS.trace, HEADERS.traceState, 'baggage'];
      return [type, names.map((name) => message?.header(name))] as const;
    }),
  );
  await bus.close();
  return Object.fromEntries(found);
}

/** Metrics with a name of their own in the semantic conventions are exported under it. */
const exportedName = (metric: { readonly name: string; readonly semantic?: { readonly name: string } }): string =>
  metric.semantic?.name ?? metric.name;

const missingMetrics = (): string[] =>
  Object.values(METRICS)
    .map(exportedName)
    .filter((name) => !receiver.metrics.has(name));

/** The names of a span and its ancestors. */
function pathOf(span: ReceivedSpan): string {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? `${pathOf(parent)} > ${span.name}` : span.name;
}

const SUBMITTED = 'POST /api/v1/requests > send command.run.submit';

describe('the trace of a request', () => {
  test('covers every service, from the HTTP call down to the tools', () => {
    expect(ended.status).toBe('completed');
    expect(new Set(spans.map(({ service }) => service))).toEqual(
      new Set(['gateway', 'control-bus', 'plan-compiler', 'runner-prep', 'harness-host', 'projector']),
    );
    const paths = new Set(spans.filter(({ name }) => name !== 'project').map(pathOf));
    const stages = ['interview', 'execute', 'evaluate', 'reflect'].map(
      (stage) => `${SUBMITTED} > run > effect stage ${stage}`,
    );
    expect([...paths]).toEqual(
      expect.arrayContaining([
        'POST /api/v1/requests',
        SUBMITTED,
        `${SUBMITTED} > process command.run.submit`,
        `${SUBMITTED} > run`,
        `${SUBMITTED} > run > effect plan`,
        `${SUBMITTED} > run > effect plan > process runtime.plan.requested`,
        `${SUBMITTED} > run > effect prepare`,
        `${SUBMITTED} > run > effect prepare > process runtime.prepare.requested`,
        ...stages,
        ...stages.map((stage) => `${stage} > invoke_agent main`),
        expect.stringMatching(/effect stage execute > invoke_agent main > execute_tool \w+$/),
      ]),
    );
  });

  test('has no orphan and no duplicate spans', () => {
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(orphans(spans).map(({ name }) => name)).toEqual(['POST /api/v1/requests']);
    expect(spans.filter(({ failed }) => failed)).toEqual([]);
  });

  test('continues when the owner of its run is killed', () => {
    expect(takenOver.status).toBe('completed');
    const all = spansOfRequest(takenOver.requestId);
    const byName = (name: string) => new Set(all.filter((span) => span.name === name).map(({ spanId }) => spanId));
    const [run] = byName('run');
    expect(all.filter(({ parentSpanId }) => parentSpanId === run).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['effect plan', 'effect prepare', 'effect stage execute']),
    );
    expect(byName('effect stage execute').size).toBe(1);
    expect(orphans(all).map(({ name }) => name)).toEqual(['POST /api/v1/requests']);
  });

  test('keeps the trace state of the caller, from the HTTP call to the stage, and drops its baggage', () => {
    const [, traceId] = CALLER.traceparent.split('-');
    const all = receiver.spans.filter((span) => span.traceId === traceId);
    const names = ['POST /api/v1/requests', 'run', 'effect stage execute', 'invoke_agent main', 'project'];
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(all.filter(({ traceState }) => traceState !== CALLER.tracestate)).toEqual([]);
    const trace = [expect.stringContaining(`00-${traceId}-`), CALLER.tracestate, undefined];
    expect(Object.values(eventHeaders)).toEqual([trace, trace, trace]);
    expect(receiver.bodies.filter(({ body }) => body.includes('canary-of-the-baggage'))).toEqual([]);
  });

  test('has the GenAI attributes on its stage and tool spans', () => {
    const { requestId } = ended;
    const execute = spans.find(
      (span) => span.name === 'invoke_agent main' && span.attributes['reins.stage'] === 'execute',
    );
    expect(execute?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'scripted-model',
      'gen_ai.usage.input_tokens': expect.anything(),
      'gen_ai.usage.output_tokens': expect.anything(),
      'gen_ai.conversation.id': expect.any(String),
      'reins.request_id': requestId,
      'reins.runtime_id': 'pi',
    });
    const tool = spans.find(({ name }) => name.startsWith('execute_tool '));
    expect(tool?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool?.name.slice('execute_tool '.length),
      'gen_ai.tool.call.id': expect.any(String),
    });
  });

  test('that includes logs, and exports no secrets or prompts', () => {
    const all = receiver.bodies.map(({ body }) => body).join('\n');
    expect(receiver.bodies.some(({ path }) => path === '/v1/logs')).toBe(true);
    for (const canary of ['canary-of-the-prompt', EXPORT_KEY, 'gen_ai.tool.call.arguments'])
      expect(all.includes(canary) ? canary : undefined).toBeUndefined();
    expect(/rk_[0-9a-f]+_/.test(all)).toBe(false);
  });
});
