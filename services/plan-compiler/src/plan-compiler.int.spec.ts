import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Blobs, type Bus, connectBus, OrderedPublisher } from '@reins/bus';
import { type AnyEvent, type EventOf, parseEvent, replyTemplate } from '@reins/contracts';
import { openTrees, type RunningService, Settings, startService } from '@reins/service-kit';
import { startNats, type TestNats, until } from '@reins/testing';
import { treeFromEntries } from '@reins/workspace-tree';
import { planCompiler } from './index.ts';

let nats: TestNats;
let service: RunningService;
let bus: Bus;
let publisher: OrderedPublisher;
const answers: AnyEvent[] = [];

beforeAll(async () => {
  nats = await startNats();
  const settings = new Settings();
  Object.assign(settings.nats, { url: nats.url });
  Object.assign(settings.http, { portBase: 0 });
  Object.assign(settings.log, { level: 'error' });
  service = await startService(planCompiler, settings);
  bus = await connectBus({ servers: nats.url, name: 'test' });
  publisher = new OrderedPublisher(bus);
  bus.nc.subscribe('inbox.>', { callback: (_, message) => void answers.push(parseEvent(message.data)) });
});

afterAll(async () => {
  await publisher.close();
  await bus.close();
  await service.stop();
  await nats.stop();
});

/** Uploads a workspace, asks for its plan as the control bus does, and waits for the answer. */
async function planOf(effectId: string, files: Record<string, string>): Promise<AnyEvent> {
  const tree = treeFromEntries(Object.entries(files).map(([path, content]) => ({ path, content })));
  await (await openTrees(bus)).put(tree);
  const head = { requestId: 'r', sessionId: 's', agentId: 'main', workspaceId: 'ws' };
  const body = { type: 'runtime.plan.requested', ...head, effectId, attempt: 2, revision: tree.treeId };
  const reply = replyTemplate({ workspaceId: 'ws', runId: 'r' }, effectId);
  const headers = { id: effectId, type: body.type, source: 'test', time: new Date().toISOString(), reply };
  await publisher.publishAll([
    { subject: 'runtime.plan.requested.ws.r', data: new TextEncoder().encode(JSON.stringify(body)), headers },
  ]);
  return until(() => answers.find((answer) => 'effectId' in answer && answer.effectId === effectId));
}

const WORKSPACE = 'agents: {id: main, model: openai/m}\nmcp_registry: {servers: {}}\n';

describe('plan-compiler', () => {
  test('answers with the plan, where it is, and the shape of its pipeline', async () => {
    const answer = (await planOf('e1', {
      'workspace.yaml': `${WORKSPACE}pipeline: {stages: [execute, evaluate], max_iterations: 2}\n`,
      'AGENTS.md': 'Be kind.',
      'stages/evaluate.md': 'Judge.',
    })) as EventOf<'runtime.plan.compiled'>;
    expect(answer).toMatchObject({
      type: 'runtime.plan.compiled',
      attempt: 2,
      pipeline: { stages: ['execute', 'evaluate'], maxIterations: 2 },
    });
    const record = JSON.parse(new TextDecoder().decode(await (await Blobs.open(bus)).get(answer.planRef)));
    expect(record.plan).toMatchObject({
      workspace_id: 'ws',
      resolved_prompts: { main: 'Be kind.' },
      extensions: { pipeline: { instructions: { evaluate: 'Judge.' } } },
    });
  });

  test('a workspace that does not compile is answered with all that is wrong, each with its place', async () => {
    const answer = (await planOf('e2', {
      'workspace.yaml': 'agents: {id: main}\ntool_registry: {}\n',
    })) as EventOf<'runtime.plan.rejected'>;
    expect(answer.type).toBe('runtime.plan.rejected');
    const errors = answer.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.length).toBeGreaterThan(1);
    expect(errors.every(({ file, line }) => file === 'workspace.yaml' && (line ?? 0) > 0)).toBe(true);
  });

  test('so is one without workspace.yaml, and one that is no YAML', async () => {
    expect((await planOf('e3', { 'README.md': 'nothing' })).type).toBe('runtime.plan.rejected');
    expect((await planOf('e4', { 'workspace.yaml': 'a: [1\nb: }' })).type).toBe('runtime.plan.rejected');
  });
});
