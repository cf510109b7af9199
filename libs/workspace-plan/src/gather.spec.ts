import { describe, expect, test } from '@jest/globals';
import { gatherInput, type WorkspaceFiles } from './gather.ts';
import { AGENT, EMPTY_REGISTRY } from './testing/workspaces.ts';

function filesOf(texts: Record<string, string>): WorkspaceFiles & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    paths: () => Object.keys(texts),
    read: async (path) => {
      asked.push(path);
      return Object.hasOwn(texts, path) ? texts[path] : undefined;
    },
  };
}

describe('gathering the input of a compile', () => {
  test('reads the file and what it refers to, and leaves out what is missing', async () => {
    const apps = 'applications: [{app_id: a, config_path: ./apps//a.yaml}, {app_id: b, config_path: b.yaml}]\n';
    const workspaceYaml = AGENT + EMPTY_REGISTRY + apps;
    const input = await gatherInput('ws', filesOf({ 'workspace.yaml': workspaceYaml, 'apps/a.yaml': 'A', 'c.md': '' }));
    expect(input).toEqual({ workspaceId: 'ws', workspaceYaml, references: { './apps//a.yaml': 'A' } });
  });

  test('never asks for a path that leads out of the workspace', async () => {
    const apps = 'applications: [{app_id: a, config_path: ../a.yaml}, {app_id: b, config_path: /etc/passwd}]\n';
    const files = filesOf({ 'workspace.yaml': AGENT + EMPTY_REGISTRY + apps });
    await gatherInput('ws', files);
    expect(files.asked).toEqual(['workspace.yaml', 'AGENTS.md']);
  });

  test('a workspace.yaml that is broken refers to nothing', async () => {
    const input = await gatherInput('ws', filesOf({ 'workspace.yaml': 'a: [', 'AGENTS.md': 'x' }));
    expect(input.references).toEqual({});
  });

  test('without workspace.yaml it reads the documents under config/', async () => {
    const app = 'kind: Application\nmetadata: {name: a}\nspec: {configPath: a.yaml}\n';
    const texts = { 'config/b.yaml': '', 'config/apps/a.yml': app, 'a.yaml': 'A', 'AGENTS.md': 'P', 'config/x.md': '' };
    expect(await gatherInput('ws', filesOf(texts))).toEqual({
      workspaceId: 'ws',
      workspaceYaml: null,
      references: { 'AGENTS.md': 'P', 'a.yaml': 'A' },
      files: { 'config/apps/a.yml': app, 'config/b.yaml': '' },
    });
  });
});
