import fc from 'fast-check';
import { dump } from 'js-yaml';

/** Ordinary names, and names that often cause errors in programs. */
const name = fc.oneof(
  fc.constantFrom('workspace', 'g', 'a b', '__proto__', 'constructor', '10', '1', '', ' ', 'true', 'x.y'),
  fc.string({ maxLength: 6 }),
);
const scalar = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    '',
    ' ',
    'a',
    'local',
    'remote',
    'http://h',
    '{env:A}',
    '2024-01-01',
  ),
  fc.constant(new Date(0)),
  fc.string({ maxLength: 8 }),
);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(name, tie('node'), { maxKeys: 3 }),
  ),
})).node;

/**
 * A mapping with these keys: required keys nearly always, optional keys sometimes. Values are usually as expected and
 * rarely arbitrary.
 */
function almostValid(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  required: readonly string[] = [],
): fc.Arbitrary<unknown> {
  const optional = Object.keys(fields).filter((key) => !required.includes(key));
  const rarely = fc.nat(30).map((n) => n === 0);
  const keys = fc
    .tuple(fc.subarray([...required]), fc.subarray(optional), rarely)
    .map(([some, others, isIncomplete]) => [...(isIncomplete ? some : required), ...others]);
  const withAnything = Object.entries(fields).map(([key, expected]) => [
    key,
    fc.oneof({ weight: 60, arbitrary: expected }, { weight: 1, arbitrary: value }),
  ]);
  const all = fc.record(Object.fromEntries(withAnything) as Record<string, fc.Arbitrary<unknown>>);
  return fc.tuple(all, keys).map(([members, kept]) => Object.fromEntries(kept.map((key) => [key, members[key]])));
}

const text = fc.constantFrom('a', 'b', 'tools.a', 'apps/a.yaml', ' x ');
const toolId = fc.constantFrom('g.x', 'workspace.x', 'g.y', 'h.z', ' g.x ');
const server = almostValid(
  {
    type: fc.constantFrom('local', 'remote'),
    enabled: fc.boolean(),
    command: fc.array(text, { minLength: 1, maxLength: 2 }),
    url: fc.constantFrom('http://h', 'https://h/x'),
    headers: fc.dictionary(name, text, { maxKeys: 2 }),
    environment: fc.dictionary(name, text, { maxKeys: 2 }),
    timeout_ms: fc.integer({ min: 1, max: 10_000 }),
  },
  ['type', 'command', 'url'],
);
export const workspace = almostValid(
  {
    agents: fc.oneof(
      almostValid({ id: text, model: text, role: text, schema_id: text }, ['id', 'model']),
      fc.array(almostValid({ id: text, model: text, coordinator: fc.boolean() }, ['id', 'model'])),
    ),
    mcp_registry: almostValid(
      {
        allowlist: almostValid({ tool_ids: fc.uniqueArray(toolId, { maxLength: 2 }) }),
        servers: fc.oneof(
          {
            weight: 6,
            arbitrary: almostValid({ g: server, h: server, workspace: fc.constant({ type: 'local' }) }, ['g', 'h']),
          },
          { weight: 1, arbitrary: fc.dictionary(name, server, { maxKeys: 3 }) },
        ),
        catalog: fc.dictionary(
          fc.oneof({ weight: 4, arbitrary: toolId }, { weight: 1, arbitrary: name }),
          almostValid({ module_path: fc.constantFrom('tools.a', 'tools.a.b'), symbol: text }, [
            'module_path',
            'symbol',
          ]),
          { maxKeys: 2 },
        ),
      },
      ['servers'],
    ),
    schema_registry: almostValid({ aliases: fc.dictionary(text, text, { maxKeys: 2 }) }),
    applications: fc.array(
      almostValid({ app_id: fc.constantFrom('a', 'b'), config_path: fc.constantFrom('a', 'apps/a.yaml') }, [
        'app_id',
        'config_path',
      ]),
      { maxLength: 2 },
    ),
    pipeline: almostValid({
      stages: fc.subarray(['interview', 'execute', 'evaluate', 'reflect'], { minLength: 1 }),
      max_iterations: fc.integer({ min: 1, max: 5 }),
    }),
    output: almostValid({ schema: fc.dictionary(name, value, { maxKeys: 2 }), artifacts: fc.uniqueArray(text) }),
    gated_tools: fc.uniqueArray(fc.constantFrom('bash', 'g.x', 'g.*')),
    budgets: almostValid({ max_tokens: fc.integer({ min: 1 }) }),
  },
  ['agents', 'mcp_registry'],
);
export const manifest = almostValid(
  {
    app_id: fc.constantFrom('a', 'b'),
    mcp: almostValid({ port: fc.integer({ min: 1, max: 65_535 }), transport: text, path: text }, ['port']),
    healthchecks: fc.dictionary(
      fc.constantFrom('mcp', 'api', 'web'),
      almostValid({ timeout_s: fc.integer({ min: 1 }), path: text }),
    ),
    env_contract: fc.array(text),
    integrations: fc.array(
      almostValid({ provider: text, required: fc.boolean(), scopes: fc.array(text) }, ['provider']),
    ),
    lifecycle: almostValid({ setup: text }),
  },
  ['app_id', 'mcp'],
);
/** Data as YAML, in block style down to some level. */
export const yaml = (of: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(of, fc.integer({ min: -1, max: 3 }))
    .map(([data, flowLevel]) => dump(data, { flowLevel, skipInvalid: true }));

/** An inventory document. */
export const document = almostValid({
  kind: fc.constantFrom(
    'Agent',
    'Model',
    'Tool',
    'McpServer',
    'Skill',
    'Workflow',
    'Runtime',
    'Application',
    'MemoryX',
    'XPolicy',
  ),
  metadata: almostValid({ name: fc.constantFrom('a', 'b', '__proto__') }),
  spec: fc.oneof(
    almostValid({ model: text, tools: fc.array(text), edges: fc.array(almostValid({ from: text, to: text })) }),
    almostValid({ provider: text, model: text }),
    almostValid({ type: fc.constantFrom('mcp', 'module'), server: text, module: text, symbol: text }),
    almostValid({
      nodes: fc.array(almostValid({ id: text, agent: text })),
      defaultAgent: text,
      routes: fc.dictionary(text, text),
    }),
    server,
  ),
});
