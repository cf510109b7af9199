import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { loadAll } from 'js-yaml';
import { type CompileResult, compileWorkspace, gatherInput } from './index.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXAMPLES = join(ROOT, 'examples');
const examples = readdirSync(EXAMPLES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

function pathsIn(dir: string): string[] {
  const entries = readdirSync(dir, { withFileTypes: true, recursive: true });
  return entries.flatMap((entry) => (entry.isFile() ? [relative(dir, join(entry.parentPath, entry.name))] : []));
}

async function compiled(example: string): Promise<CompileResult> {
  const dir = join(EXAMPLES, example);
  const input = await gatherInput(example, {
    paths: () => pathsIn(dir),
    size: (path) => statSync(join(dir, path), { throwIfNoEntry: false })?.size,
    read: async (path) => readFileSync(join(dir, path), 'utf8'),
  });
  return compileWorkspace(input);
}

describe('examples', () => {
  test.each(examples)('%s compiles without findings', async (example) => {
    const result = await compiled(example);
    expect(result.diagnostics).toEqual([]);
    expect(result.ok).toBe(true);
  });

  test.each(examples)('every file of %s is valid against the published schema that it names', (example) => {
    const dir = join(EXAMPLES, example);
    const named = pathsIn(dir).flatMap((path) => {
      const file = join(dir, path);
      const text = /\.ya?ml$/.test(path) ? readFileSync(file, 'utf8') : '';
      const [, schema] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? [];
      return schema ? [{ path, text, schema: resolve(dirname(file), schema) }] : [];
    });
    expect(named.length).toBeGreaterThan(0);
    for (const { path, text, schema } of named) {
      const validate = new Ajv({ allErrors: true, strict: false }).compile(
        JSON.parse(readFileSync(schema, 'utf8')) as object,
      );
      for (const document of loadAll(text)) {
        validate(document);
        expect({ path, errors: validate.errors }).toEqual({ path, errors: null });
      }
    }
  });

  test('support-desk has an application, workspace tools, and both allowlisted and discovered servers', async () => {
    const result = await compiled('support-desk');
    expect(result.ok && result.plan).toMatchObject({
      mode: 'single',
      resolved_mcp_servers: [{ server_id: 'handbook' }, { server_id: 'workspace' }, { server_id: 'clock' }],
      mcp_tool_allowlist: ['handbook.search', 'workspace.order_status'],
      workspace_mcp_catalog: [{ tool_name: 'order_status' }],
      resolved_applications: [{ app_id: 'tickets', base_dir: 'apps/tickets', health_check: { path: '/health' } }],
      extensions: { pipeline: { stages: ['execute', 'evaluate'] } },
    });
  });

  test('inventory-desk is an inventory of a team', async () => {
    const result = await compiled('inventory-desk');
    expect(result.ok && result.plan).toMatchObject({
      mode: 'team',
      general_config: { coordinator: { id: 'translator' }, members: [{ id: 'reviewer' }] },
      extensions: { inventory: { runtime: { default_agent: 'translator' } } },
    });
  });
});
