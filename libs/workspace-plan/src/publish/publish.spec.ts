import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ERROR_CODES } from '@reins/contracts';
import { load } from 'js-yaml';
import { compileWorkspace } from '../index.ts';
import { codesOf } from '../testing/workspaces.ts';
import { publishedFiles } from './files.ts';
import { withLists } from './reference-lists.ts';

const docs = (file: string): string => readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8');

/** The YAML blocks of the guide that contain this text. */
function examples(containing: string): readonly string[] {
  return [...docs('workspace.md').matchAll(/```yaml\n([\s\S]*?)```/g)]
    .map(([, text = '']) => text)
    .filter((text) => text.includes(containing));
}

function isSameJson(a: string, b: string): boolean {
  return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
}

describe('generated documentation', () => {
  test.each(Object.entries(publishedFiles(docs)))('docs/%s is up to date (run scripts/generate.mjs)', (file, text) => {
    const same = file.endsWith('.json') ? isSameJson(docs(file), text) : docs(file) === text;
    expect(same).toBe(true);
  });

  test('the guide has a remedy for every code of workspaces, applications and inventories', () => {
    const elsewhere = ['workspace_not_found', 'workspace_file_misnamed', 'workspace_folder_large', 'app_start_failed'];
    const ours = Object.keys(ERROR_CODES).filter((code) => /^(workspace|app|inventory)_/.test(code));
    for (const code of ours.filter((each) => !elsewhere.includes(each))) {
      expect(docs('workspace.md')).toMatch(new RegExp(`^- \`${code}\`[^:]*(: \`\\w+\`\\))?: .*\\w`, 'm'));
    }
  });

  test('reports a missing marker', () => {
    expect(() => withLists('', { keys: '' })).toThrow("no marker 'keys'");
  });

  test('the complete example compiles without findings', () => {
    const [workspaceYaml = ''] = examples('Support desk');
    const references = { 'apps/crm/app.runtime.yaml': 'app_id: crm\nmcp: {port: 3099}\n' };
    const result = compileWorkspace({ workspaceId: 'ws', workspaceYaml, references });
    expect(result.diagnostics).toEqual([]);
    expect(result.ok).toBe(true);
  });

  test('the inventory of the guide compiles without findings', () => {
    const [text = ''] = examples('kind: McpServer');
    const result = compileWorkspace({
      workspaceId: 'ws',
      workspaceYaml: null,
      references: {},
      files: { 'config/all.yaml': text },
    });
    expect(result.diagnostics).toEqual([]);
    expect(result.ok).toBe(true);
  });

  test('the team of the guide compiles to a team', () => {
    const [team = ''] = examples('id: researcher');
    const result = compileWorkspace({
      workspaceId: 'ws',
      workspaceYaml: `${team}mcp_registry: {servers: {}}\n`,
      references: {},
    });
    expect(result.ok && result.plan.mode).toBe('team');
    expect(codesOf(result)).toEqual([]);
  });

  test('every example is valid YAML', () => {
    for (const text of examples('')) if (!text.includes('---')) expect(() => load(text)).not.toThrow();
  });
});
