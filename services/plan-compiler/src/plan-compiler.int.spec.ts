import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Blobs, type Bus, connectBus, OrderedPublisher } from '@reins/bus';
import { type AnyEvent, type EventOf, parseEvent, replyTemplate } from '@reins/contracts';
import { openTrees, type RunningService, Settings, startService } from '@reins/service-kit';
import { startNats, type TestNats, until } from '@reins/testing';
import { type TreeEntry, treeFromEntries } from '@reins/workspace-tree';
import type { Answer } from './answer.ts';
import { compilerVersion } from './compiler-version.ts';
import { planCompiler } from './index.ts';
import { pricesVersion } from './prices.ts';
import { StoredAnswers } from './stored-answers.ts';

let nats: TestNats;
let service: RunningService;
let bus: Bus;
let settings: Settings;
let publisher: OrderedPublisher;
const answers: AnyEvent[] = [];

beforeAll(async () => {
  nats = await startNats();
  settings = new Settings();
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

/** Uploads a workspace, requests its plan like the control bus, and waits for the answer. */
async function planOf(
  effectId: string,
  files: Record<string, string>,
  links: TreeEntry[] = [],
  agentId = 'main',
): Promise<AnyEvent> {
  const tree = treeFromEntries([...Object.entries(files).map(([path, content]) => ({ path, content })), ...links]);
  await (await openTrees(bus)).put(tree);
  const head = { requestId: 'r', sessionId: 's', agentId, workspaceId: 'ws' };
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
  test('answers with the location of the plan and the shape of its pipeline', async () => {
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

  test('reads the references of a workspace; the prompt is empty without AGENTS.md', async () => {
    const answer = (await planOf('e39', {
      'workspace.yaml': `${WORKSPACE}applications: [{app_id: notes, config_path: apps/notes/app.runtime.yaml}]\n`,
      'apps/notes/app.runtime.yaml': 'app_id: notes\nmcp: {port: 3099}\n',
    })) as EventOf<'runtime.plan.compiled'>;
    const record = JSON.parse(new TextDecoder().decode(await (await Blobs.open(bus)).get(answer.planRef)));
    expect(record.plan).toMatchObject({
      resolved_prompts: { main: '' },
      resolved_applications: [{ app_id: 'notes', mcp: { port: 3099 }, base_dir: 'apps/notes' }],
    });
  });

  test('reads a link as the file that it refers to', async () => {
    const links: TreeEntry[] = [{ path: 'AGENTS.md', content: 'docs/CLAUDE.md', mode: 'link' }];
    const files = { 'workspace.yaml': WORKSPACE, 'docs/CLAUDE.md': 'Be brief.' };
    const answer = (await planOf('e-link', files, links)) as EventOf<'runtime.plan.compiled'>;
    const record = JSON.parse(new TextDecoder().decode(await (await Blobs.open(bus)).get(answer.planRef)));
    expect(record.plan).toMatchObject({ resolved_prompts: { main: 'Be brief.' } });
  });

  test('answers an invalid workspace with all problems and their positions', async () => {
    const answer = (await planOf('e2', {
      'workspace.yaml': 'agents: {id: main}\ntool_registry: {}\n',
    })) as EventOf<'runtime.plan.rejected'>;
    expect(answer.type).toBe('runtime.plan.rejected');
    const errors = answer.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.length).toBeGreaterThan(1);
    expect(errors.every(({ file, line }) => file === 'workspace.yaml' && (line ?? 0) > 0)).toBe(true);
  });

  test('answers with the runtime of the agent, and rejects an agent that does not exist', async () => {
    const agent = (name: string, backend: string) =>
      `kind: Agent\nmetadata: {name: ${name}}\nspec: {model: m, backend: ${backend}}\n---\n`;
    const files = {
      'config/all.yaml': `${agent('lead', 'pi')}${agent('judge', 'codex')}kind: Runtime
metadata: {name: r}
spec: {defaultAgent: lead}
---
kind: Model
metadata: {name: m}
spec: {provider: openai, model: m}
`,
    };
    expect(await planOf('a1', files)).toMatchObject({ runtimeProfile: { default: 'pi' } });
    expect(await planOf('a2', files, [], 'judge')).toMatchObject({ runtimeProfile: { default: 'codex' } });
    expect(await planOf('a3', files, [], 'editor')).toMatchObject({
      type: 'runtime.plan.rejected',
      diagnostics: [{ severity: 'error', code: 'agent_unknown', hint: 'Use one of: lead, judge.' }],
    });
  });

  test('rejects a workspace without workspace.yaml, and invalid YAML', async () => {
    expect((await planOf('e3', { 'README.md': 'nothing' })).type).toBe('runtime.plan.rejected');
    expect((await planOf('e4', { 'workspace.yaml': 'a: [1\nb: }' })).type).toBe('runtime.plan.rejected');
  });

  test('revisions with the same inputs of the plan share one plan', async () => {
    const first = (await planOf('s1', { 'workspace.yaml': WORKSPACE, 'README.md': '1' })) as Compiled;
    const second = (await planOf('s2', { 'workspace.yaml': WORKSPACE, 'README.md': '2' })) as Compiled;
    const other = (await planOf('s3', { 'workspace.yaml': WORKSPACE, 'AGENTS.md': '2' })) as Compiled;
    expect(second).toMatchObject({ planRef: first.planRef, inputsChecksum: first.inputsChecksum });
    expect(other.configChecksum).toBe(first.configChecksum);
    expect(other.inputsChecksum).not.toBe(first.inputsChecksum);
    expect(other.planRef).not.toEqual(first.planRef);
  });

  test('a plan that was removed is compiled again', async () => {
    const files = { 'workspace.yaml': `${WORKSPACE}name: removed\n` };
    const first = (await planOf('e-before', files)) as EventOf<'runtime.plan.compiled'>;
    const blobs = await Blobs.open(bus);
    await blobs.remove(first.planRef.sha256);
    const second = (await planOf('e-after', files)) as EventOf<'runtime.plan.compiled'>;
    expect(second.planRef).toEqual(first.planRef);
    expect(await blobs.has(second.planRef.sha256)).toBe(true);
  });

  test('includes warnings with a plan', async () => {
    const answer = (await planOf('w1', { 'workspace.yaml': `${WORKSPACE}aplications: []\nnmae: x\n` })) as Compiled;
    expect(answer.diagnostics.map(({ severity, code, hint }) => ({ severity, code, hint }))).toEqual([
      { severity: 'warning', code: 'workspace_key_unknown', hint: "did you mean 'applications'?" },
      { severity: 'warning', code: 'workspace_key_unknown', hint: "did you mean 'name'?" },
    ]);
  });
});

test('a limit of the cost needs the price of the model, and is part of the answer', async () => {
  const limited = (model: string) =>
    `agents: {id: a, model: ${model}}\nmcp_registry: {servers: {}}\nbudgets: {max_cost_usd: 2, max_tokens: 9000}\n`;
  const known = (await planOf('b1', { 'workspace.yaml': limited('openai/gpt-5.4') })) as Compiled;
  expect(known.budget).toEqual({ maxTokens: 9000, maxCostUsd: 2 });
  expect(await planOf('b2', { 'workspace.yaml': limited('openai/unknown') })).toMatchObject({
    type: 'runtime.plan.rejected',
    diagnostics: [{ message: expect.stringContaining('the limit of 2 US dollars cannot be evaluated') }],
  });
});

describe('answers in the object store', () => {
  const checksum = 'c'.repeat(64);
  const rejected: Answer = { type: 'runtime.plan.rejected', fields: { diagnostics: [] } };

  test('are available to later requests in any process', async () => {
    const { inputsChecksum, planRef } = (await planOf('k1', { 'workspace.yaml': `${WORKSPACE}name: k\n` })) as Compiled;
    const others = await StoredAnswers.open(bus, await compilerVersion(pricesVersion(settings)));
    const found = await until(() => others.find(inputsChecksum));
    expect(found).toMatchObject({ type: 'runtime.plan.compiled', fields: { inputsChecksum, planRef } });
  });

  test('are used by a service that did not create them', async () => {
    const { inputsChecksum } = (await planOf('k2', { 'workspace.yaml': `${WORKSPACE}name: k2\n` })) as Compiled;
    const stored = await StoredAnswers.open(bus, await compilerVersion(pricesVersion(settings)));
    await until(() => stored.find(inputsChecksum));
    await stored.store(inputsChecksum, rejected);
    await service.stop();
    service = await startService(planCompiler, settings);
    expect((await planOf('k3', { 'workspace.yaml': `${WORKSPACE}name: k2\n` })).type).toBe('runtime.plan.rejected');
  });

  test('are specific to one compiler version', async () => {
    await (await StoredAnswers.open(bus, 'older')).store(checksum, rejected);
    expect(await (await StoredAnswers.open(bus, 'older')).find(checksum)).toEqual(rejected);
    expect(await (await StoredAnswers.open(bus, 'newer')).find(checksum)).toBeUndefined();
  });

  test('are ignored when their plan no longer exists', async () => {
    const { inputsChecksum, planRef } = (await planOf('k4', {
      'workspace.yaml': `${WORKSPACE}name: k4\n`,
    })) as Compiled;
    const stored = await StoredAnswers.open(bus, await compilerVersion(pricesVersion(settings)));
    await until(() => stored.find(inputsChecksum));
    await (await Blobs.open(bus)).remove(planRef.sha256);
    expect(await stored.find(inputsChecksum)).toBeUndefined();
  });
});

type Compiled = EventOf<'runtime.plan.compiled'>;

describe('rejects a hostile workspace in bounded time', () => {
  /** A bound for a busy machine. On an idle one, each takes less than two seconds, nearly all of it for the upload. */
  const BOUND_MS = 30_000;
  const MIB = 1024 * 1024;
  const letters = [...'abcdefghij'];
  const bomb = letters.map((c, i) => `${c}: &${c} [${Array(9).fill(i === 0 ? 'x' : `*${letters[i - 1]}`)}]`).join('\n');
  const apps = (count: number, path: (i: number) => string): string =>
    `applications:\n${Array.from({ length: count }, (_, i) => `  - {app_id: a${i}, config_path: ${path(i)}}\n`).join('')}`;

  test.each<[string, Record<string, string>, string]>([
    ['10 MiB', { 'workspace.yaml': `${WORKSPACE}# ${'x'.repeat(10 * MIB)}` }, 'workspace_input_too_large'],
    ['aliases that expand', { 'workspace.yaml': `${WORKSPACE}${bomb}\napplications: *j\n` }, 'workspace_yaml_unsafe'],
    ['an anchor in itself', { 'workspace.yaml': `${WORKSPACE}x-a: &a {b: *a}\n` }, 'workspace_yaml_unsafe'],
    ['nested lists', { 'workspace.yaml': `x: ${'['.repeat(100_000)}` }, 'workspace_yaml_unsafe'],
    ['nested mappings', { 'workspace.yaml': `x: ${'{a: '.repeat(100_000)}` }, 'workspace_yaml_unsafe'],
    [
      'a bomb in a manifest',
      { 'workspace.yaml': WORKSPACE + apps(1, () => 'a.yaml'), 'a.yaml': `${bomb}\nmcp: *j\n` },
      'workspace_yaml_unsafe',
    ],
    [
      'a manifest of 15 MiB',
      { 'workspace.yaml': WORKSPACE + apps(1, () => 'a.yaml'), 'a.yaml': 'k: v\n'.repeat(3 * MIB) },
      'workspace_input_too_large',
    ],
    [
      'many manifests',
      {
        'workspace.yaml': WORKSPACE + apps(20, (i) => `${i}.yaml`),
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, i) => [`${i}.yaml`, `# ${i}\n${'k: [1]\n'.repeat(100_000)}`]),
        ),
      },
      'workspace_input_too_large',
    ],
    [
      'a prompt of 13 MiB',
      { 'workspace.yaml': WORKSPACE, 'AGENTS.md': 'x'.repeat(13 * MIB) },
      'workspace_input_too_large',
    ],
    ['a bomb in an inventory', { 'config/a.yaml': bomb }, 'workspace_yaml_unsafe'],
  ])(
    '%s',
    async (name, files, code) => {
      const answer = (await planOf(`h-${name.replace(/\W+/g, '-')}`, files)) as EventOf<'runtime.plan.rejected'>;
      expect(answer.type).toBe('runtime.plan.rejected');
      expect(answer.diagnostics.map((each) => each.code)).toContain(code);
    },
    BOUND_MS,
  );

  test(
    'limits the number of reported problems',
    async () => {
      const keys = Array.from({ length: 5_000 }, (_, i) => `key${i}: 1\n`).join('');
      const answer = (await planOf('many', {
        'workspace.yaml': `agents: {}\n${keys}`,
      })) as EventOf<'runtime.plan.rejected'>;
      expect(answer.diagnostics.length).toBeLessThanOrEqual(400);
    },
    BOUND_MS,
  );

  test('continues to handle requests afterwards', async () => {
    expect((await planOf('after', { 'workspace.yaml': WORKSPACE })).type).toBe('runtime.plan.compiled');
  });
});
