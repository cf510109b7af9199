import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { repositoryRoot, tempDir } from '@reins/testing';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { filesOf, runWorkspace } from './testing/submit-request.ts';

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

let running: RunningSystem;
beforeAll(async () => {
  running = await startRunningSystem({
    dir: await tempDir('tool-names'),
    replicas: 1,
    log: () => {},
    settings: { runtime_profile: { default: 'echo', workspace_may_use: ['pi', 'openai_chat'] } },
    scenarios: ['names'],
  });
  const script = JSON.stringify([{ text: 'Done.' }]);
  await fetch(`${running.model.url}/__scenarios/names`, { method: 'PUT', body: script });
});
afterAll(() => running?.stop());

interface WireRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}

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
    const body = running.model.requests()[seen]?.body as WireRequest;
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
