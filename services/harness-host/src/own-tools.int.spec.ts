import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defined, type RuntimeStageRequested } from '@reins/contracts';
import type { HostRequest } from '@reins/runtime-config';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir, until } from '@reins/testing';
import { capture } from '@reins/workspace-tree';
import { DEFAULT_SETTINGS, HostFixture } from './testing/host-fixture.ts';

const TODOS = [
  { content: 'Look', status: 'completed' },
  { content: 'Paint', status: 'in_progress' },
];
const model = await startScriptedModel({
  scenarios: {
    ask: {
      cases: [
        { when: { user: 'blue' }, steps: [{ tool: { name: 'todoread', args: {} } }, { text: 'It is blue.' }] },
        {
          steps: [
            { tool: { name: 'todowrite', args: { todos: TODOS } } },
            { tool: { name: 'question', args: { question: 'Which colour?', options: ['blue', 'red'] } } },
            { status: 400 },
          ],
        },
      ],
    },
    elicit: {
      cases: [
        { when: { user: 'blue' }, steps: [{ tool: { name: 'mcp__asking__paint', args: {} } }, { text: 'Done.' }] },
        { steps: [{ tool: { name: 'mcp__asking__paint', args: {} } }, { status: 400 }] },
      ],
    },
    skills: [
      { tool: { name: 'mcp__notes__wipe', args: {} } },
      { tool: { name: 'skill', args: { name: 'cleaning' } } },
      { tool: { name: 'mcp__notes__wipe', args: {} } },
      { tool: { name: 'skill', args: { name: 'cooking' } } },
      { text: 'Done.' },
    ],
  },
});
let fixture: HostFixture;
let tree: string;
beforeAll(async () => {
  fixture = await HostFixture.start();
  const dir = await tempDir('own-tools');
  await mkdir(join(dir, 'skills', 'cleaning'), { recursive: true });
  const text = '---\nname: cleaning\ndescription: How to clean up\n---\nWipe gently.';
  await writeFile(join(dir, 'skills', 'cleaning', 'SKILL.md'), text);
  await writeFile(join(dir, 'note.txt'), 'A note.');
  tree = (await fixture.trees.put(await capture(dir))).treeId;
});
afterAll(async () => {
  await fixture.stop();
  await model.close();
});

const newHost = () =>
  fixture.host({
    providers: { scripted: { api: 'openai-completions', baseUrl: `${model.url}/s/ask/v1`, apiKey: 'sk-test-1234' } },
    host: { ...DEFAULT_SETTINGS.host, runtimes: ['openai_chat', 'pi'] },
  });

const request = (runtimeId: string, scenario: string, more: Partial<HostRequest> = {}) =>
  fixture.request({
    runtimeId,
    instruction: 'Paint it.',
    tree,
    request: {
      provider_id: 'scripted',
      model_id: 'scripted-model',
      model_client: {
        model_proxy_provider: 'openai_compatible',
        api_key: '{setting:providers.scripted.apiKey}',
        base_url: `${model.url}/s/${scenario}/v1`,
        default_headers: null,
      },
      tools: { question: true, todoread: true, todowrite: true, skill: true },
      ...more,
    },
  });

interface Wire {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}
const lastWire = (): Wire => model.requests().at(-1)?.body as Wire;

/** The results of a tool, from the signals of a stage. */
const resultsOf = (effectId: string, toolId: string) =>
  fixture.eventsOf('agent.tool.result', effectId).flatMap(({ event }) => (event.toolId === toolId ? [event] : []));

describe.each(['pi', 'openai_chat'])('%s', (runtimeId) => {
  test('asks the user, frees its slot, and continues its conversation on another host with the answer', async () => {
    const first = await newHost();
    const event = await request(runtimeId, 'ask');
    const waiting = await fixture.firstEvent(event.effectId, 'runtime.stage.waiting');
    expect(waiting).toMatchObject({ question: 'Which colour?\n- blue\n- red', attempt: 1 });
    expect(lastWire().tools.map((tool) => tool.function.name)).toEqual(['question', 'todoread', 'todowrite', 'skill']);
    await until(() => first.load.claims === 0 && first.load.stages === 0);
    await first.stop();

    const second = await newHost();
    const { tree: at = '', signals = 0, harnessSessionId } = waiting.suspended ?? {};
    const resumed: RuntimeStageRequested = {
      ...event,
      tree: at,
      ...defined({ harnessSessionId }),
      resume: { number: 1, answer: 'blue', signals },
    };
    await fixture.publish(resumed, `${event.effectId}-resumed`);
    const completed = await fixture.finalEvent(event.effectId);
    expect(completed).toMatchObject({ type: 'runtime.stage.completed', output: 'It is blue.' });
    const { messages } = lastWire();
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(2);
    expect(JSON.stringify(messages)).toContain('the next message is the answer');
    expect(resultsOf(event.effectId, 'todoread')).toMatchObject([{ output: '[x] Look\n[~] Paint' }]);
    expect(completed).toMatchObject({
      handoff: {
        toolResults: [
          { toolId: 'todowrite', status: 'completed' },
          // It was asked before the suspension.
          { toolId: 'question', status: 'completed' },
          { toolId: 'todoread', status: 'completed', bytes: JSON.stringify('[x] Look\n[~] Paint').length },
        ],
        goal: expect.any(String),
        decisions: ['The user was asked: Which colour?\n- blue\n- red The answer: blue'],
        openSteps: ['Paint'],
      },
    });
    const plans = fixture
      .eventsOf('agent.tool.start', event.effectId)
      .filter((each) => each.event.traceType === 'plan');
    expect(plans.map((each) => each.event.args)).toEqual([{ todos: TODOS }]);
    await second.stop();
  });

  test('a question of a server waits for the user, and the server gets the answer when its tool is called again', async () => {
    const host = await newHost();
    const script = fileURLToPath(new URL('../testdata/workspace/servers/asking.mjs', import.meta.url));
    const config = { type: 'local', enabled: true, command: [process.execPath, script] } as const;
    const event = await request(runtimeId, 'elicit', {
      mcp_servers: [{ name: 'asking', config: { ...config, environment: {}, timeout: 60_000 } }],
    });
    const waiting = await fixture.firstEvent(event.effectId, 'runtime.stage.waiting');
    expect(waiting).toMatchObject({ question: expect.stringContaining('Which colour?') });
    const { tree: at = '', signals = 0, harnessSessionId = '' } = waiting.suspended ?? {};
    const resume = { number: 1, answer: 'blue', signals };
    await fixture.publish({ ...event, tree: at, harnessSessionId, resume }, `${event.effectId}-resumed`);
    expect(await fixture.finalEvent(event.effectId)).toMatchObject({ output: 'Done.' });
    expect(resultsOf(event.effectId, 'asking.paint').at(-1)).toMatchObject({ output: 'painted blue', error: null });
    await host.stop();
  });

  test('a skill opens the gated tools that it grants', async () => {
    const host = await newHost();
    const skill = { name: 'cleaning', description: 'How to clean up', location: 'skills/cleaning/SKILL.md' };
    const command = [
      process.execPath,
      fileURLToPath(new URL('../testdata/workspace/servers/notes.mjs', import.meta.url)),
    ];
    const event = await request(runtimeId, 'skills', {
      mcp_servers: [
        { name: 'notes', config: { type: 'local', enabled: true, command, environment: {}, timeout: 60_000 } },
      ],
      gated_tools: ['notes.wipe', 'notes.read'],
      skills: [{ id: 'cleaning', ...skill, granted_tools: ['notes.wipe'], granted_commands: [] }],
    });
    expect(await fixture.finalEvent(event.effectId)).toMatchObject({ output: 'Done.' });
    expect(resultsOf(event.effectId, 'notes.wipe')).toMatchObject([
      { error: expect.stringContaining('requires approval') },
      { output: expect.stringContaining('A note.'), error: null },
    ]);
    expect(resultsOf(event.effectId, 'skill')).toMatchObject([
      { output: expect.stringContaining('Wipe gently.') },
      { error: expect.stringContaining('the skills are cleaning') },
    ]);
    expect(fixture.eventsOf('agent.skill.invoked', event.effectId).map((each) => each.event)).toMatchObject([
      { adapter: runtimeId, skillId: 'cleaning', grantedTools: ['notes.wipe'], grantedCommands: [] },
    ]);
    await host.stop();
  });
});
