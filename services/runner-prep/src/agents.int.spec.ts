import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PrepFixture } from './testing/prep-fixture.ts';

let prep: PrepFixture;
beforeAll(async () => {
  prep = await PrepFixture.start();
  await prep.offer('pi', ['model', 'mcp']);
});
afterAll(async () => {
  await prep.stop();
});

const skill = (name: string): string => `---\nname: ${name}\ndescription: about ${name}\n---\nDo it.\n`;

const INVENTORY = `kind: Runtime
metadata: {name: letters}
spec: {defaultAgent: lead}
---
kind: Model
metadata: {name: large}
spec: {provider: local, model: large}
---
kind: Model
metadata: {name: small}
spec: {provider: local, model: small}
---
kind: Agent
metadata: {name: lead}
spec: {model: large, instructions: Write it., tools: [write], skills: [style]}
---
kind: Agent
metadata: {name: judge}
spec: {model: small, instructions: Judge it., tools: [look], skills: [review], backend: codex}
---
kind: McpServer
metadata: {name: files}
spec: {type: local, command: [files-server]}
---
kind: Tool
metadata: {name: write}
spec: {type: mcp, server: files}
---
kind: Tool
metadata: {name: look}
spec: {type: mcp, server: files}
`;

describe('the request of one agent', () => {
  test.each([
    ['lead', 'large', 'Write it.', 'write', 'skills/style'],
    ['judge', 'small', 'Judge it.', 'look', 'skills/review'],
    ['main', 'large', 'Write it.', 'write', 'skills/style'],
  ])('%s has its own model, prompt, tools and skills', async (agentId, model, prompt, tool, folder) => {
    const tree = await prep.tree({
      'AGENTS.md': 'Be kind.',
      'skills/style/SKILL.md': skill('style'),
      'skills/review/SKILL.md': skill('review'),
    });
    const { request } = await prep.prepared({ agentId, tree }, { inventory: INVENTORY });
    expect(request.model_id).toBe(model);
    expect(request.system_prompt).toContain(prompt);
    expect(request.mcp_tool_refs.map((ref: { tool_name: string }) => ref.tool_name)).toEqual([tool]);
    expect(request.workspace_skill_dirs).toEqual([folder]);
  });

  test('warns when the runtime of the agent is not the one that runs the stage', async () => {
    const { answer } = await prep.prepared({ agentId: 'judge' }, { inventory: INVENTORY });
    expect(answer.warnings).toContainEqual(
      expect.objectContaining({ code: 'runtime_profile_ignored', message: expect.stringContaining("'codex'") }),
    );
  });

  test('is refused when the workspace has no such agent', async () => {
    expect(await prep.ask({ agentId: 'editor' }, { inventory: INVENTORY })).toMatchObject({
      type: 'runtime.prepare.failed',
      error: { code: 'agent_unknown', hint: 'Use one of: lead, judge.' },
    });
  });
});
