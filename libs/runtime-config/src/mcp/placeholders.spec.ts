import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import type { ResolvedMcpServer } from '../plan.ts';
import { problemsOf } from '../testing/expect-problem.ts';
import {
  keepKnownPlaceholders,
  mcpServerPayloads,
  type PlaceholderPolicy,
  resolveFromEnvironment,
} from './payloads.ts';
import { environmentNames, fillTemplate, parseValue } from './placeholders.ts';

/** Other tools start a variable with this character. */
const DOLLAR = '$';

function remote(value: string, key = 'X-Key'): ResolvedMcpServer {
  return {
    server_id: 'g',
    type: 'remote',
    command: [],
    url: 'https://g.example/mcp',
    headers: [[key, value]],
    environment: [],
    timeout_ms: 10_000,
  };
}

function headerOf(value: string, policy: PlaceholderPolicy): string | undefined {
  const plan = { resolved_mcp_servers: [remote(value)], workspace_mcp_catalog: [] };
  const config = mcpServerPayloads(plan, null, policy)[0]?.config;
  return config?.type === 'remote' ? config.headers['X-Key'] : undefined;
}

describe('placeholders', () => {
  test('rejects a secret in the braces and never shows it', () => {
    const [problem] = problemsOf(() => headerOf('{env:ctx7sk-live-abc123}', resolveFromEnvironment({})));
    expect(problem).toMatchObject({ code: 'mcp_placeholder_invalid', path: 'mcp_registry.servers.g.headers.X-Key' });
    expect(problem?.message).toContain('X-Key');
    expect(problem?.message).toContain('{env:ENV_VAR_NAME}');
    expect(problem?.message).toContain('literal value');
    expect(JSON.stringify(problem)).not.toContain('ctx7sk');
  });

  test('keeps a literal value', () => {
    expect(headerOf('ctx7sk-live-abc123', resolveFromEnvironment({}))).toBe('ctx7sk-live-abc123');
  });

  test('reports an unset variable with its key, and replaces set, padded and embedded variables', () => {
    const [problem] = problemsOf(() => headerOf('{env:FOO}', resolveFromEnvironment({})));
    expect(problem?.message).toBe("environment variable 'FOO' is required by MCP config for 'X-Key'");
    expect(headerOf('{env:FOO}', resolveFromEnvironment({ FOO: 'bar' }))).toBe('bar');
    expect(headerOf(' {env:FOO} ', resolveFromEnvironment({ FOO: 'bar' }))).toBe('bar');
    expect(headerOf('Bearer {env:FOO}', resolveFromEnvironment({ FOO: 'bar' }))).toBe('Bearer bar');
    expect(headerOf('a {env:A} b {env:B} c', resolveFromEnvironment({ A: '1', B: '2' }))).toBe('a 1 b 2 c');
  });

  it('keeps only placeholders of known variables', () => {
    const policy = keepKnownPlaceholders(new Set(['FOO']));
    expect(headerOf(' {env:FOO} ', policy)).toBe('{env:FOO}');
    expect(headerOf('Bearer {env:FOO}', policy)).toBe('Bearer {env:FOO}');
    expect(problemsOf(() => headerOf('{env:BAR}', policy))[0]?.code).toBe('mcp_environment_missing');
  });

  it('reports all problems in one error', () => {
    const servers = [remote('{env:A}', 'One'), remote('{env:a-b}', 'Two')];
    const plan = { resolved_mcp_servers: servers, workspace_mcp_catalog: [] };
    expect(
      problemsOf(() => mcpServerPayloads(plan, null, resolveFromEnvironment({}))).map((problem) => problem.code),
    ).toEqual(['mcp_environment_missing', 'mcp_placeholder_invalid']);
  });

  test.each([
    '{env:}',
    '{env: FOO}',
    '{env:1A}',
    '{env:A}{env:B}',
    '{env:FOO',
    'Bearer {env:a.b}',
    `${DOLLAR}{env:FOO}`,
  ])('rejects %s', (value) => {
    expect(parseValue(value).kind).toBe('invalid');
  });

  test.each(['{ENV:FOO}', `${DOLLAR}{FOO}`, '  pad  ', '', 'env:FOO'])('treats %j as a literal', (value) => {
    expect(parseValue(value)).toEqual({ kind: 'literal' });
  });

  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
  const text = fc.string().filter((part) => !part.includes('{env:') && !part.endsWith('$'));

  test('property: keeps literal text around placeholders', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, name), { minLength: 1, maxLength: 4 }), text, (pairs, tail) => {
        const value = `x${pairs.map(([before, variable]) => `${before}{env:${variable}}`).join('')}${tail}`;
        const parsed = parseValue(value);
        if (parsed.kind !== 'template') throw new Error('expected a template');
        expect(fillTemplate(parsed.parts, (variable) => `{env:${variable}}`)).toBe(value);
        expect(environmentNames(value)).toEqual(pairs.map(([, variable]) => variable));
      }),
    );
  });

  test('property: an error never contains the text between the braces', () => {
    const secret = fc.stringMatching(/^[a-z0-9]{12,20}-[a-z0-9-]{4,20}$/);
    fc.assert(
      fc.property(secret, fc.constantFrom('', 'Bearer ', '  '), (pasted, before) => {
        const problems = problemsOf(() => headerOf(`${before}{env:${pasted}}`, resolveFromEnvironment({})));
        expect(JSON.stringify(problems)).not.toContain(pasted);
      }),
    );
  });
});
