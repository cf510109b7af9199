import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Blobs, type Bus, connectBus, OrderedPublisher } from '@reins/bus';
import { type AnyEvent, type EventOf, type JsonObject, parseEvent, replyTemplate } from '@reins/contracts';
import { type RunningService, Settings, startService } from '@reins/service-kit';
import { startNats, type TestNats, until } from '@reins/testing';
import { compileWorkspace } from '@reins/workspace-plan';
import { runnerPrep } from './index.ts';

let nats: TestNats;
let service: RunningService;
let bus: Bus;
let publisher: OrderedPublisher;
let blobs: Blobs;
const answers: AnyEvent[] = [];

beforeAll(async () => {
  nats = await startNats();
  const settings = new Settings();
  Object.assign(settings.nats, { url: nats.url });
  Object.assign(settings.http, { portBase: 0 });
  Object.assign(settings.log, { level: 'error' });
  settings.providers = {
    local: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk-canary-secret' },
  };
  service = await startService(runnerPrep, settings);
  bus = await connectBus({ servers: nats.url, name: 'test' });
  publisher = new OrderedPublisher(bus);
  blobs = await Blobs.open(bus);
  bus.nc.subscribe('inbox.>', { callback: (_, message) => void answers.push(parseEvent(message.data)) });
});

afterAll(async () => {
  await publisher.close();
  await bus.close();
  await service.stop();
  await nats.stop();
});

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

async function prepared(effectId: string, more: JsonObject = {}): Promise<AnyEvent> {
  const workspaceYaml = 'agents: {id: main, model: local/m}\nmcp_registry: {servers: {}}\n';
  const compiled = compileWorkspace({ workspaceId: 'ws', workspaceYaml, references: { 'AGENTS.md': 'Be kind.' } });
  if (!compiled.ok) throw new Error(compiled.error.message);
  const planRef = await blobs.put(
    bytes({ inputsChecksum: compiled.inputs_checksum, plan: compiled.plan, diagnostics: [] }),
  );
  const head = { requestId: 'r', sessionId: 's', agentId: 'main', workspaceId: 'ws' };
  const asked = {
    stage: 'execute',
    runtimeId: 'pi',
    planRef,
    iteration: 1,
    input: { input: 'List the files' },
    tree: 'a'.repeat(64),
  };
  const body = { type: 'runtime.prepare.requested', ...head, effectId, attempt: 1, ...asked, ...more };
  const reply = replyTemplate({ workspaceId: 'ws', runId: 'r' }, effectId);
  const headers = { id: effectId, type: body.type, source: 'test', time: new Date().toISOString(), reply };
  await publisher.publishAll([{ subject: 'runtime.prepare.requested.ws.r', data: bytes(body), headers }]);
  return until(() => answers.find((answer) => 'effectId' in answer && answer.effectId === effectId));
}

const stored = async (ref: { sha256: string; size: number }): Promise<string> =>
  new TextDecoder().decode(await blobs.get(ref));

describe('runner-prep', () => {
  test('stores the host request and its snapshot, with the stage’s marker, and no secret in either', async () => {
    const answer = (await prepared('e1')) as EventOf<'runtime.prepare.completed'>;
    expect(answer.type).toBe('runtime.prepare.completed');
    const request = JSON.parse(await stored(answer.hostRequestRef));
    expect(request).toMatchObject({
      stage: 'execute',
      iteration: 1,
      runtime_id: 'pi',
      provider_id: 'local',
      model_id: 'm',
    });
    expect(request.instruction).toContain('Reins stage: execute\nReins iteration: 1');
    expect(request.instruction).toContain('List the files');
    expect(request.system_prompt).toContain('Be kind.');
    expect(`${await stored(answer.hostRequestRef)}${await stored(answer.snapshotRef)}`).not.toContain(
      'sk-canary-secret',
    );
    expect(Object.keys(answer.timings)).toEqual(['load_plan', 'project', 'persist_turn_request_snapshot']);
  });

  test('equal requests have equal fingerprints', async () => {
    const [one, other] = [await prepared('e2'), await prepared('e3')] as EventOf<'runtime.prepare.completed'>[];
    expect(one?.fingerprint).toBe(other?.fingerprint);
  });

  test('what an earlier stage left is told to the next one', async () => {
    const context = {
      interview: 'the brief says hello',
      verdict: { outcome: 'fail', reasons: ['too short'] },
      reflection: 'write more',
    };
    const answer = (await prepared('e4', { iteration: 2, context })) as EventOf<'runtime.prepare.completed'>;
    const text = await stored(answer.hostRequestRef);
    for (const part of ['the brief says hello', 'too short', 'write more']) expect(text).toContain(part);
  });

  test('a request that cannot be prepared is answered with why', async () => {
    const answer = (await prepared('e5', { input: { input: '' } })) as EventOf<'runtime.prepare.failed'>;
    expect(answer).toMatchObject({
      type: 'runtime.prepare.failed',
      error: { code: 'host_request_invalid', path: 'instruction' },
    });
  });
});
