import { EXTENSIONS } from '../extensions/shapes.ts';
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS, TOOL_ID_PATTERN, TOOL_MODULE_PATTERN, URL_PATTERN } from './patterns.ts';
import { anything, list, mapping, name, named, type Shape, string } from './shape.ts';

const MEMBER = {
  id: name('The id of the agent.'),
  model: name('The model, such as `gpt-4o` or `provider/model`.'),
  role: name('What the agent is for.'),
  schema_id: name('The schema of its output: a name of `schema_registry.aliases`, or an id.'),
  schema_module_path: name('The schema of its output, as a module. Excludes `schema_id`.'),
  prompt: { description: 'Not allowed: instructions stand in AGENTS.md.', not: {}, deprecated: true },
} as const;

const AGENT = mapping('The agent of the workspace. Its instructions stand in AGENTS.md.', MEMBER, {
  required: ['id', 'model'],
});

const TEAM = list(
  'A team: one entry is marked as its coordinator.',
  mapping(
    'An agent of the team.',
    {
      ...MEMBER,
      coordinator: { type: 'boolean', description: 'Whether this agent coordinates the team.', default: false },
    },
    { required: ['id', 'model'] },
  ),
  { minItems: 2 },
);

export const SERVER = mapping(
  'An MCP server.',
  {
    type: string('`local` is started and spoken to over stdin and stdout, `remote` is called.', {
      enum: ['local', 'remote'],
    }),
    enabled: { type: 'boolean', description: 'Whether the server is used.', default: true },
    command: list('The program and its arguments (local).', string('An argument.'), {
      minItems: 1,
      examples: [['npx', '-y', 'some-server']],
    }),
    url: string('The address, http or https (remote).', { pattern: URL_PATTERN }),
    headers: named('HTTP headers (remote). `{env:NAME}` stands for a secret of the installation.', string('A value.')),
    environment: named('Environment variables (local). `{env:NAME}` as in headers.', string('A value.')),
    timeout_ms: {
      type: 'integer',
      description: 'Milliseconds until a call is given up.',
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      default: DEFAULT_TIMEOUT_MS,
    },
  },
  { required: ['type'] },
);

const CATALOG_ENTRY = mapping(
  'A tool of the workspace: a function of one of its modules.',
  {
    module_path: string('The module in the folder tools.', { pattern: TOOL_MODULE_PATTERN, examples: ['tools.echo'] }),
    symbol: name('The function that the module exports.'),
  },
  { required: ['module_path', 'symbol'] },
);

const MCP_REGISTRY = mapping(
  'The MCP servers and tools of the workspace.',
  {
    allowlist: mapping('Which tools a run may see. A server that is not named keeps all its tools.', {
      tool_ids: list('Tools, as `server.tool`.', string('A tool.', { pattern: TOOL_ID_PATTERN }), {
        uniqueItems: true,
      }),
    }),
    servers: named('The servers by name. `workspace` is the server of the catalog and need not be declared.', SERVER),
    catalog: named('Tools that the workspace brings itself, by id: `workspace.<tool>`.', CATALOG_ENTRY),
  },
  { required: ['servers'] },
);

const APPLICATION = mapping(
  'An application of the workspace.',
  {
    app_id: name('The id of the application, the same as in its manifest.'),
    config_path: name('Its manifest, relative to the workspace.', { examples: ['apps/crm/app.runtime.yaml'] }),
    lifecycle: anything('Has no effect here: the manifest says it.'),
  },
  { required: ['app_id', 'config_path'] },
);

/** workspace.yaml: the one source of its published schema, of the keys that are known, and of our own keys' checks. */
export const WORKSPACE: Shape = mapping(
  'A workspace: its agents, its tools, its applications, and how a run goes through it.',
  {
    template_id: anything('The template that the workspace was made from. Has no effect.'),
    name: anything('A name for people. Has no effect.'),
    description: anything('What the workspace is for. Has no effect.'),
    version: anything('A version for people. Has no effect.'),
    skills: anything('Has no effect: skills stand in the folder skills.'),
    agents: { description: 'One agent, or a team.', anyOf: [AGENT, TEAM] },
    mcp_registry: MCP_REGISTRY,
    schema_registry: mapping('Output schemas.', {
      aliases: named('Short names of output schemas.', name('The schema.')),
    }),
    applications: list('The applications of the workspace.', APPLICATION),
    tool_registry: { description: 'No longer supported: use `mcp_registry`.', not: {}, deprecated: true },
    ...EXTENSIONS,
  },
  { required: ['agents', 'mcp_registry'] },
);
