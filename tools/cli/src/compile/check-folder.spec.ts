import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { readWorkspace } from './actions.ts';
import { checkFolder } from './check-folder.ts';

const folder = await tempDir('check-folder');
afterAll(() => rmSync(folder, { recursive: true }));

const CATALOG = `agents: {id: a, model: m}
mcp_registry:
  servers: {}
  catalog:
    workspace.count: {module_path: tools.words, symbol: count}
`;
const TOOL = { 'tools/words.mjs': 'export const count = (text) => text.length;' };
let workspaces = 0;

async function problemsOf(files: Readonly<Record<string, string>>): Promise<(string | undefined)[][]> {
  workspaces += 1;
  const dir = join(folder, `w${workspaces}`);
  const all = { 'workspace.yaml': CATALOG, 'AGENTS.md': 'Be kind.', ...TOOL, ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const read = await readWorkspace(dir);
  const problems = await checkFolder(read);
  return problems.map(({ code, path, message, hint }) => [code, path, `${message} ${hint}`]);
}

test('a folder whose files are all used has no warning', async () => {
  const skill = '---\nname: tone\ndescription: How we write.\n---\nBe short.\n';
  expect(
    await problemsOf({ 'stages/execute.md': 'Work.', 'skills/tone/SKILL.md': skill, 'docs/agent.md': 'x' }),
  ).toEqual([]);
});

test.each([
  ['stages/excute.md', 'Did you mean stages/execute.md?'],
  ['stages/Evaluate.md', 'Did you mean stages/evaluate.md?'],
  ['stage/execute.md', 'Did you mean stages/execute.md?'],
  ['AGENT.md', 'Move its text to AGENTS.md.'],
])('%s is reported, because nothing reads it', async (path, hint) => {
  expect(await problemsOf({ [path]: 'x' })).toEqual([
    ['workspace_file_misnamed', path, `nothing reads this file ${hint}`],
  ]);
});

test('a skill without a description is reported', async () => {
  const [[code, path, text] = []] = await problemsOf({ 'skills/tone/SKILL.md': '---\nname: tone\n---\n' });
  expect([code, path]).toEqual(['skill_invalid', 'skills/tone/SKILL.md']);
  expect(text).toContain('description');
});

test('installed packages are reported with their size and how to leave them out', async () => {
  const found = await problemsOf({ 'servers/clock/node_modules/a/index.js': 'x', 'servers/clock/main.js': 'x' });
  expect(found).toMatchObject([['workspace_folder_large', 'servers/clock/node_modules', expect.any(String)]]);
  expect(found[0]?.[2]).toContain('Add `servers/clock/node_modules/` to .reinsignore');
});
