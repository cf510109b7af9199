import { describe, expect, test } from '@jest/globals';
import { compileWorkspace } from './compile.ts';
import { gatherInput, type WorkspaceFiles } from './gather.ts';
import { AGENT, EMPTY_REGISTRY } from './testing/workspaces.ts';

/** Files by path. A number stands for a file of that size, which must not be read. */
function filesOf(texts: Record<string, string | number>): WorkspaceFiles & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    paths: () => Object.keys(texts),
    size(path) {
      asked.push(path);
      const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
      return typeof text === 'string' ? Buffer.byteLength(text) : text;
    },
    async read(path) {
      const text = texts[path];
      if (typeof text !== 'string') throw new Error(`${path} was read`);
      return text;
    },
  };
}

describe('gathering the input of a compile', () => {
  test('reads workspace.yaml and its references, and omits missing files', async () => {
    const apps = 'applications: [{app_id: a, config_path: ./apps//a.yaml}, {app_id: b, config_path: b.yaml}]\n';
    const workspaceYaml = AGENT + EMPTY_REGISTRY + apps;
    const input = await gatherInput('ws', filesOf({ 'workspace.yaml': workspaceYaml, 'apps/a.yaml': 'A', 'c.md': '' }));
    expect(input).toEqual({ workspaceId: 'ws', workspaceYaml, references: { './apps//a.yaml': 'A' } });
  });

  test('never reads a path outside the workspace', async () => {
    const apps = 'applications: [{app_id: a, config_path: ../a.yaml}, {app_id: b, config_path: /etc/passwd}]\n';
    const files = filesOf({ 'workspace.yaml': AGENT + EMPTY_REGISTRY + apps });
    await gatherInput('ws', files);
    expect(files.asked).toEqual(['workspace.yaml', 'AGENTS.md']);
  });

  test('finds no references in an invalid workspace.yaml', async () => {
    const input = await gatherInput('ws', filesOf({ 'workspace.yaml': 'a: [', 'AGENTS.md': 'x' }));
    expect(input.references).toEqual({});
  });

  test('reads the documents under config/ when there is no workspace.yaml', async () => {
    const app = 'kind: Application\nmetadata: {name: a}\nspec: {configPath: a.yaml}\n';
    const texts = { 'config/b.yaml': '', 'config/apps/a.yml': app, 'a.yaml': 'A', 'AGENTS.md': 'P', 'config/x.md': '' };
    expect(await gatherInput('ws', filesOf(texts))).toEqual({
      workspaceId: 'ws',
      workspaceYaml: null,
      references: { 'AGENTS.md': 'P', 'a.yaml': 'A' },
      files: { 'config/apps/a.yml': app, 'config/b.yaml': '' },
    });
  });

  test('rejects a file that is too large without reading it', async () => {
    const huge = compileWorkspace(await gatherInput('ws', filesOf({ 'workspace.yaml': 10 ** 9 })));
    expect(huge.ok || huge.error).toMatchObject({ code: 'workspace_config_invalid_yaml', path: 'workspace.yaml' });
    const prompt = await gatherInput(
      'ws',
      filesOf({ 'workspace.yaml': AGENT + EMPTY_REGISTRY, 'AGENTS.md': 100 * 1024 * 1024 }),
    );
    expect(compileWorkspace(prompt)).toMatchObject({ ok: false, error: { path: 'AGENTS.md' } });
  });

  test('stops reading when the files are too large in total', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `apps/${i}.yaml`);
    const apps = names.map((name, i) => `  - {app_id: a${i}, config_path: ${name}}\n`).join('');
    const manifests = Object.fromEntries(names.map((name) => [name, 'x'.repeat(11 * 1024 * 1024)]));
    const workspaceYaml = `${AGENT}${EMPTY_REGISTRY}applications:\n${apps}`;
    const input = await gatherInput('ws', filesOf({ 'workspace.yaml': workspaceYaml, ...manifests }));
    expect(Object.keys(input.references).length).toBeLessThan(8);
    const result = compileWorkspace(input);
    expect(result.diagnostics.map(({ path, code }) => `${code} ${path}`)).toContain(
      'workspace_input_too_large workspace.yaml',
    );
  });
});
