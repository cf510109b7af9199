import { EXTENSIONS } from '../extensions/shapes.ts';
import {
  DEFAULT_TIMEOUT_MS,
  MAX_TIMEOUT_MS,
  NPM_PACKAGE_PATTERN,
  PYPI_PACKAGE_PATTERN,
  TOOL_ID_PATTERN,
  TOOL_MODULE_PATTERN,
  URL_PATTERN,
} from './patterns.ts';
import { anything, list, mapping, name, named, type Shape, string } from './shape.ts';

const MEMBER = {
  id: name('The id of the agent.'),
  model: name('The model, such as `gpt-4o` or `provider/model`.'),
  role: name('The purpose of the agent.'),
  schema_id: name('The output schema: a name in `schema_registry.aliases`, or the path of a schema.'),
  schema_module_path: name('The output schema as a module. Cannot be combined with `schema_id`.'),
  prompt: { description: 'Not allowed: write instructions in AGENTS.md.', not: {}, deprecated: true },
} as const;

const AGENT = mapping('The agent of the workspace. Its instructions are in AGENTS.md.', MEMBER, {
  required: ['id', 'model'],
});

const TEAM = list(
  'A team in which one agent is the coordinator.',
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
    type: string(
      '`local` servers are started and communicate over stdin and stdout; `remote` servers are called over HTTP.',
      {
        enum: ['local', 'remote'],
      },
    ),
    enabled: { type: 'boolean', description: 'Whether the server is used.', default: true },
    command: list('The program and its arguments (local).', string('An argument.'), {
      minItems: 1,
      examples: [['npx', '-y', 'some-server']],
    }),
    npm: string(
      'The npm package of the server, with an exact version (local). Hosts install it once. Without `command`, the program named after the package starts, or its only program. `command` can name another program, and arguments.',
      { pattern: NPM_PACKAGE_PATTERN, examples: ['@modelcontextprotocol/server-memory@2025.9.25'] },
    ),
    pypi: string(
      'The package of the server on PyPI, with an exact version (local). The program starts as with `npm`.',
      {
        pattern: PYPI_PACKAGE_PATTERN,
        examples: ['mcp-server-time@2025.9.25'],
      },
    ),
    integrity: string(
      'The hash of the package: `sha512-…` for npm, `sha256:…` for PyPI. A package with another hash is not used.',
    ),
    url: string('The URL, http or https (remote).', { pattern: URL_PATTERN }),
    headers: named(
      'HTTP headers (remote). `{env:NAME}` is replaced with a secret of the installation.',
      string('A value.'),
    ),
    environment: named('Environment variables (local). `{env:NAME}` as in headers.', string('A value.')),
    isolation: string(
      'Whether each request has its own process of the server, or all requests of the workspace share one (local). A shared server cannot see the files of a request.',
      { enum: ['run', 'workspace'], default: 'run' },
    ),
    timeout_ms: {
      type: 'integer',
      description: 'The timeout of a call in milliseconds.',
      minimum: 1,
      maximum: MAX_TIMEOUT_MS,
      default: DEFAULT_TIMEOUT_MS,
    },
  },
  { required: ['type'] },
);

const CATALOG_ENTRY = mapping(
  'A tool of the workspace: an exported function of one of its modules.',
  {
    module_path: string('The module in the tools folder.', { pattern: TOOL_MODULE_PATTERN, examples: ['tools.echo'] }),
    symbol: name('The function that the module exports.'),
  },
  { required: ['module_path', 'symbol'] },
);

const MCP_REGISTRY = mapping(
  'The MCP servers and tools of the workspace.',
  {
    allowlist: mapping('The tools that a run may use. All tools of servers that are not listed are allowed.', {
      tool_ids: list('Tools in the form `server.tool`.', string('A tool.', { pattern: TOOL_ID_PATTERN }), {
        uniqueItems: true,
      }),
    }),
    servers: named(
      'The servers by name. `workspace` is the server of the catalog and does not have to be declared.',
      SERVER,
    ),
    catalog: named('Tools that the workspace itself provides, by id: `workspace.<tool>`.', CATALOG_ENTRY),
  },
  { required: ['servers'] },
);

const APPLICATION = mapping(
  'An application of the workspace.',
  {
    app_id: name('The id of the application, the same as in its manifest.'),
    config_path: name('The path of the manifest, relative to the workspace.', {
      examples: ['apps/crm/app.runtime.yaml'],
    }),
    lifecycle: anything('Has no effect here: use the manifest.'),
  },
  { required: ['app_id', 'config_path'] },
);

/**
 * The shape of workspace.yaml: the source of its published schema, of the known keys, and of the checks of the Reins
 * extensions.
 */
export const WORKSPACE: Shape = mapping(
  'A workspace: its agents, tools and applications, and how it runs.',
  {
    template_id: anything('The template of the workspace. Has no effect.'),
    name: anything('A display name. Has no effect.'),
    description: anything('A description. Has no effect.'),
    version: anything('A version. Has no effect.'),
    skills: anything('Has no effect: skills are read from the skills folder.'),
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
