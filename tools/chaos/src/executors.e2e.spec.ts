import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { repositoryRoot, tempDir, until } from '@reins/testing';
import { workspaceFiles } from './load/workspaces.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { endOf, filesOf, runWorkspace, submit } from './testing/submit-request.ts';

/** A workspace with servers, tools and applications: `notes` has named tools, `counter` is an application. */
const PARTS = filesOf(join(repositoryRoot, 'services', 'harness-host', 'testdata', 'workspace'));
const FILES = [
  ...PARTS.filter(({ path }) => !path.startsWith('schemas/')),
  {
    path: 'workspace.yaml',
    content: `agents: {id: worker, model: names/scripted-model}
gated_tools: [edit, My-Notes.wipe]
mcp_registry:
  allowlist: {tool_ids: [My-Notes.read, My-Notes.wipe, My-Notes.gone, workspace.greet]}
  servers:
    My-Notes: {type: local, command: [node, servers/notes.mjs]}
  catalog:
    workspace.greet: {module_path: tools.greet, symbol: greet}
applications: [{app_id: counter, config_path: apps/counter/app.runtime.yaml}]
`,
  },
  {
    path: 'apps/counter/app.runtime.yaml',
    content: `app_id: counter
name: Counter
mcp: {transport: streamable-http, port: 3099, path: /mcp}
healthchecks: {mcp: {path: /mcp/health, timeout_s: 60, interval_s: 1}}
lifecycle: {setup: echo prepared > prepared.txt, start: exec node app.mjs}
`,
  },
  { path: 'AGENTS.md', content: 'Use the tools.\n' },
];

const VERDICT = { text: '{"outcome":"pass","reasons":["It is done."]}' };
const SCRIPTS = {
  names: [{ text: 'Done.' }],
  talk: {
    cases: [
      { when: { stage: 'evaluate' }, steps: [VERDICT] },
      { when: { stage: 'interview', user: 'Second' }, steps: [{ text: 'Brief two.' }] },
      { when: { stage: 'interview' }, steps: [{ text: 'Brief one.' }] },
      { when: { user: 'Second' }, steps: [{ text: 'Answer two.' }] },
      { steps: [{ text: 'Answer one.' }] },
    ],
  },
  ask: {
    cases: [
      { when: { user: 'blue' }, steps: [{ text: 'Painted.' }] },
      { steps: [{ tool: { name: 'question', args: { question: 'Which colour?' } } }] },
    ],
  },
  skilled: [
    { tool: { name: 'mcp__notes__wipe', args: {} } },
    { tool: { name: 'skill', args: { name: 'cleaning' } } },
    { tool: { name: 'mcp__notes__wipe', args: {} } },
    { text: 'Done.' },
  ],
};

let running: RunningSystem;
beforeAll(async () => {
  running = await startRunningSystem({
    dir: await tempDir('tool-names'),
    replicas: 2,
    log: () => {},
    settings: { runtime_profile: { default: 'echo', workspace_may_use: ['pi', 'openai_chat'] } },
    scenarios: Object.keys(SCRIPTS),
  });
  for (const [name, script] of Object.entries(SCRIPTS))
    await fetch(`${running.model.url}/__scenarios/${name}`, { method: 'PUT', body: JSON.stringify(script) });
});
afterAll(() => running?.stop());

interface WireRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}

/** The model calls after the first `from` requests. The others are checks of providers. */
const wires = (from = 0): WireRequest[] =>
  running.model
    .requests()
    .slice(from)
    .flatMap(({ body }) => ('messages' in (body as object) ? [body as WireRequest] : []));
const usersOf = ({ messages }: WireRequest): string[] =>
  messages.filter(({ role }) => role === 'user').map(({ content }) => JSON.stringify(content));

/** The names after `label` up to the end of the sentence. */
const listAfter = (text: string, label: string): string[] => {
  const [, list = 'none'] = new RegExp(`${label}: (.*?)\\.(?:[ "\\n]|$)`).exec(text) ?? [];
  return list === 'none' ? [] : list.split(', ');
};

describe.each(['pi', 'openai_chat'])('%s', (runtimeId) => {
  test('the tools in the prompt have the names that the model is offered', async () => {
    const seen = running.model.requests().length;
    const ended = await runWorkspace(running, `names-${runtimeId.replace('_', '-')}`, FILES, {
      input: 'Use the tools.',
      stages: { execute: runtimeId },
    });
    expect(ended.status).toBe('completed');
    const body = wires(seen)[0] as WireRequest;
    const offered = body.tools.map((tool) => tool.function.name);
    const prompt = JSON.stringify(body.messages).replaceAll('\\n', '\n');

    const kinds = ['Tools that look', 'Tools that change', 'Tools that coordinate'];
    const named = kinds.flatMap((kind) => listAfter(prompt, kind));
    const [, prefix = '?'] = /names of their tools start with (\w+)\./.exec(prompt) ?? [];
    const missing = listAfter(prompt, 'These tools are not available in this run');
    const ofCounter = offered.filter((name) => name.startsWith(prefix));

    expect(ofCounter).toHaveLength(1);
    expect(missing).toEqual(['mcp__my_notes__gone']);
    expect([...named.filter((name) => !missing.includes(name)), ...ofCounter].sort()).toEqual(offered.sort());
    expect(named).toContain('mcp__my_notes__read');
    expect(listAfter(prompt, 'These tools are gated')).toEqual(['edit', 'mcp__my_notes__wipe']);
  });
});

test('each stage of a session goes on in its own conversation, on any host, and its prompts repeat nothing', async () => {
  const pipeline = 'pipeline:\n  stages: [interview, execute, evaluate]\n';
  const files = workspaceFiles('talk', { pipeline, provider: 'talk' });
  const stages = { interview: 'pi', execute: 'pi', evaluate: 'pi' };
  const ask = (input: string) => runWorkspace(running, 'talk', files, { input, sessionId: 'talk-1', stages });
  const before = running.model.requests().length;
  expect(await ask('First question.')).toMatchObject({ status: 'completed', output: 'Answer one.' });
  const between = running.model.requests().length;
  const first = wires(before);
  expect(await ask('Second question.')).toMatchObject({ status: 'completed', output: 'Answer two.' });

  const second = wires(between);
  expect(second).toHaveLength(3);
  for (const [index, stage] of ['interview', 'execute', 'evaluate'].entries()) {
    const wire = second[index] as WireRequest;
    const users = usersOf(wire);
    expect(users).toHaveLength(2);
    for (const user of users) expect(user).toContain(`Reins stage: ${stage}`);
    expect(users[0]).toContain('First question.');
    expect(users[1]).toContain('Second question.');
    expect(users[1]).not.toContain('First question.');
    expect(users[1]).not.toContain('Answer one.');
    // The caches of providers compare bytes: those of the first turn come first.
    const { messages, tools } = first[index] as WireRequest;
    expect(JSON.stringify(wire.messages.slice(0, messages.length))).toBe(JSON.stringify(messages));
    expect(JSON.stringify(wire.tools)).toBe(JSON.stringify(tools));
  }
  const execute = JSON.stringify(second[1]?.messages);
  expect(execute.split('Answer one.')).toHaveLength(2);
  expect(execute).toContain('Brief two.');
});

test('a question on pi waits for the user and continues with the answer', async () => {
  const { gateway } = running;
  const files = workspaceFiles('ask', { provider: 'ask' });
  const requestId = await submit(running, 'ask', files, { input: 'Paint it.', stages: { execute: 'pi' } });
  const waiting = await until(
    async () => ((await gateway.get(`/requests/${requestId}`)).body as { waiting?: { effectId: string } }).waiting,
    { what: 'the question' },
  );
  expect(waiting).toMatchObject({ reason: 'user', question: 'Which colour?' });
  const { effectId } = waiting as { effectId: string };
  await gateway.post(`/requests/${requestId}/answers`, { effectId, answer: 'blue' }, crypto.randomUUID());
  expect(await endOf(running, requestId)).toMatchObject({ status: 'completed', output: 'Painted.' });
});

test('the prompt describes skills, and invoking one opens the gated tools that it grants', async () => {
  const yaml = `agents: {id: worker, model: skilled/scripted-model}
gated_tools: [notes.wipe]
mcp_registry: {servers: {notes: {type: local, command: [node, servers/notes.mjs]}}}
`;
  const skill = '---\nname: cleaning\ndescription: How to clean up\ngranted_tools: [notes.wipe]\n---\nWipe gently.\n';
  const files = [
    ...PARTS.filter(({ path }) => path.startsWith('servers/') || path === 'note.txt'),
    { path: 'workspace.yaml', content: yaml },
    { path: 'AGENTS.md', content: 'Use the tools.\n' },
    { path: 'skills/cleaning/SKILL.md', content: skill },
  ];
  const seen = running.model.requests().length;
  const ended = await runWorkspace(running, 'skilled', files, { input: 'Clean up.', stages: { execute: 'pi' } });
  expect(ended).toMatchObject({ status: 'completed', output: 'Done.' });
  expect(JSON.stringify(wires(seen)[0]?.messages)).toContain('cleaning (skills/cleaning/SKILL.md): How to clean up');
  const last = wires().at(-1) as WireRequest;
  const results = last.messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
  expect(results).toEqual([
    expect.stringContaining('requires approval'),
    expect.stringContaining('Wipe gently.'),
    expect.stringContaining('(as '),
  ]);
});
