import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CompileResult, collectReferences, compileWorkspace } from './index.ts';
import { document, manifest, workspace, yaml } from './testing/arbitraries.ts';
import { applyRules } from './testing/sequential-rules.ts';

const SEVERITIES = ['error', 'warning'];

function checkResult(result: CompileResult, files: readonly string[]): void {
  expect(result.ok).toBe(result.counts.error === 0);
  expect(result.inputs_checksum).toMatch(/^[0-9a-f]{64}$/);
  for (const each of result.diagnostics) {
    expect(SEVERITIES).toContain(each.severity);
    expect(files).toContain(each.file);
    expect(each.line).toBeGreaterThan(0);
    expect(each.column).toBeGreaterThan(0);
    expect(each.message).not.toBe('');
    expect(each.hint).not.toBe('');
  }
  if (!result.ok) expect(Object.keys(result.error)).toEqual(['code', 'message', 'path', 'hint']);
  // the plan is plain JSON: storing it does not change it
  else expect(JSON.parse(JSON.stringify(result.plan))).toEqual(result.plan);
}

describe('any workspace', () => {
  test('that is almost valid gives a plan or an error, deterministically', () => {
    fc.assert(
      fc.property(yaml(workspace), yaml(manifest), (workspaceYaml, app) => {
        const references = { 'AGENTS.md': 'P', 'apps/a.yaml': app, a: app };
        const result = compileWorkspace({ workspaceId: 'ws', workspaceYaml, references });
        checkResult(result, ['workspace.yaml', ...Object.keys(references)]);
        expect(compileWorkspace({ workspaceId: 'ws', workspaceYaml, references })).toEqual(result);
        const unreadable = !result.ok && result.error.path === 'workspace.yaml';
        if (!unreadable) expect(collectReferences(workspaceYaml)[0]).toBe('AGENTS.md');
      }),
      { numRuns: 300 },
    );
  });

  test('fails where the legacy rules fail, and otherwise only because of a stricter check', () => {
    fc.assert(
      fc.property(yaml(workspace), yaml(manifest), (workspaceYaml, app) => {
        const references = { 'AGENTS.md': 'P', 'apps/a.yaml': app, a: app };
        fc.pre(!workspaceYaml.includes('coordinator: true')); // teams are an extension that the legacy rules do not have
        const result = compileWorkspace({ workspaceId: 'ws', workspaceYaml, references });
        const verdict = applyRules(workspaceYaml, references);
        if (verdict.ok && result.ok) {
          expect(result.plan.resolved_mcp_servers.map((server) => server.server_id)).toEqual(verdict.servers);
        } else if (verdict.ok) {
          const errors = result.diagnostics.filter((each) => each.severity === 'error');
          expect(errors.filter((each) => !each.stricter)).toEqual([]);
        } else {
          expect(result.ok || { code: result.error.code, path: result.error.path }).toEqual({
            code: verdict.code,
            path: verdict.path,
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of arbitrary text gives a plan or an error', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.string({ maxLength: 50 }),
        (workspaceYaml, workspaceId) => {
          checkResult(compileWorkspace({ workspaceId, workspaceYaml, references: {} }), ['workspace.yaml']);
        },
      ),
      { numRuns: 250 },
    );
  });

  test('of almost valid documents gives a plan or an error', () => {
    fc.assert(
      fc.property(fc.array(yaml(document), { maxLength: 5 }), (documents) => {
        const files = Object.fromEntries(documents.map((each, i) => [`config/${i}.yaml`, each]));
        const input = { workspaceId: 'ws', workspaceYaml: null, references: {}, files };
        const result = compileWorkspace(input);
        checkResult(result, ['config', ...Object.keys(files)]);
        expect(compileWorkspace(input)).toEqual(result);
      }),
      { numRuns: 250 },
    );
  });

  test('has a different checksum when any input differs', () => {
    const references = fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), { maxKeys: 3 });
    const input = fc.record({ workspaceId: fc.string(), workspaceYaml: fc.string({ maxLength: 4 }), references });
    fc.assert(
      fc.property(input, input, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        const sum = (of: typeof a): string => compileWorkspace(of).inputs_checksum;
        if (!same && sum(a) === sum(b)) expect(sortedReferences(a)).toEqual(sortedReferences(b));
      }),
      { numRuns: 300 },
    );
  });
});

/** Inputs that differ only in the order of their references are equal. */
function sortedReferences<T extends { references: Record<string, string> }>(input: T): unknown {
  return { ...input, references: Object.entries(input.references).sort() };
}
