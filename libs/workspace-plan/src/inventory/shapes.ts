import { CLI, MEMORY_DOCUMENT, PROGRESS, SHARED_EXTENSIONS } from '../extensions/shapes.ts';
import { RUNTIME_ID_PATTERN, TOOL_MODULE_PATTERN } from '../schema/patterns.ts';
import { anything, list, mapping, name, named, type Shape, string } from '../schema/shape.ts';
import { SERVER } from '../schema/workspace.ts';

/** The names of the two ends of every graph. */
export const START = 'START';
export const END = 'END';

const freeForm = (description: string): Shape => ({ type: 'object', description, additionalProperties: true });
const names = (description: string): Shape => list(description, name('A name.'), { uniqueItems: true, default: [] });

const EDGES = list(
  `The edges of the graph. It starts at \`${START}\` and ends at \`${END}\`.`,
  mapping(
    'An edge.',
    {
      from: name('The node at which the edge starts.'),
      to: name('The node at which the edge ends.'),
      when: name('A condition that the backend evaluates.'),
    },
    { required: ['from', 'to'] },
  ),
);

const RUNTIME = mapping('Settings of the whole workspace. At most one document.', {
  defaultAgent: name('The agent for requests that do not name one. Default: the only agent.'),
  routes: named('Route names that requests use to select a workflow.', name('The name of a Workflow.')),
  adapters: freeForm('Configuration of runtimes, by runtime id.'),
  protocols: freeForm('Configuration of protocols.'),
  progress: PROGRESS,
  cli: CLI,
  ...SHARED_EXTENSIONS,
});

const AGENT = mapping(
  'An agent.',
  {
    description: string('What the agent is for.'),
    backend: string('The runtime of the agent.', { pattern: RUNTIME_ID_PATTERN }),
    model: name('The name of a Model.'),
    instructions: string('Instructions for the agent, which follow AGENTS.md.'),
    tools: names('Names of the Tools that the agent may use. Empty: all of them.'),
    skills: names('Names of the Skills that the agent may use. Empty: all of them.'),
    subagents: names('Names of Agents to which it may delegate work.'),
    edges: EDGES,
    outputSchema: name('The id of its output schema.'),
    config: freeForm('Passed to the backend unchanged.'),
  },
  { required: ['model'] },
);

const MODEL = mapping(
  'A model.',
  {
    provider: name('The provider that serves the model.'),
    model: name('The name of the model at the provider.'),
    parameters: freeForm('Passed to the provider unchanged.'),
  },
  { required: ['provider', 'model'] },
);

const TOOL = mapping(
  'A tool.',
  {
    type: string(
      '`module`: a function in the workspace; `mcp`: a tool of an MCP server; `builtin`: a tool of the runtime.',
      {
        enum: ['module', 'mcp', 'builtin'],
      },
    ),
    description: string('What the tool does.'),
    module: string('The module in the tools folder (module).', { pattern: TOOL_MODULE_PATTERN }),
    symbol: name('The function that the module exports (module).'),
    server: name('The name of an McpServer (mcp).'),
    tool: name('The name of the tool on the server or runtime (mcp, builtin). Default: the name of the document.'),
    approval: { type: 'boolean', description: 'Whether the tool is gated, as with `gated_tools`.', default: false },
  },
  { required: ['type'] },
);

const SKILL = mapping('A skill.', {
  path: name('The folder of the skill. Default: skills/<name>.'),
  description: string('What the skill is for.'),
});

const WORKFLOW = mapping(
  'A graph of agents, tools and skills.',
  {
    description: string('What the workflow does.'),
    nodes: list(
      'The nodes of the graph.',
      mapping(
        'A node with exactly one of agent, tool and skill.',
        {
          id: name('The id of the node in the graph.'),
          agent: name('The name of an Agent.'),
          tool: name('The name of a Tool.'),
          skill: name('The name of a Skill.'),
        },
        { required: ['id'] },
      ),
      { minItems: 1 },
    ),
    edges: EDGES,
  },
  { required: ['nodes'] },
);

const APPLICATION = mapping(
  'An application of the workspace.',
  { configPath: name('The path of the manifest, relative to the workspace.') },
  { required: ['configPath'] },
);

const POLICY: Shape = {
  ...mapping('A policy.', {
    approval: mapping('What is gated.', { tools: names('Names of Tools.') }),
  }),
  additionalProperties: anything('Copied to the plan unchanged.'),
};

/** The kinds whose documents are fully interpreted. */
export const KINDS = {
  Runtime: RUNTIME,
  Agent: AGENT,
  Model: MODEL,
  Tool: TOOL,
  McpServer: SERVER,
  Skill: SKILL,
  Workflow: WORKFLOW,
  Application: APPLICATION,
  Memory: MEMORY_DOCUMENT,
} as const satisfies Readonly<Record<string, Shape>>;

export type Kind = keyof typeof KINDS;

/** Groups of kinds, by a pattern on the name of the kind. Their documents are copied to the plan. */
export const FAMILIES = {
  memory: { pattern: '^Memory.', about: 'copied to the plan; not used in this version.', shape: freeForm('Memory.') },
  protocols: {
    pattern: 'Protocol$',
    about: 'copied to the plan; not used in this version.',
    shape: freeForm('A protocol.'),
  },
  policies: {
    pattern: 'Policy$',
    about: 'copied to the plan; `spec.approval.tools` names Tools that are gated.',
    shape: POLICY,
  },
} as const;

const PATTERNS = Object.entries(FAMILIES).map(([family, { pattern }]) => [family, new RegExp(pattern)] as const);

/** The family of a kind; undefined for other kinds. */
export function familyOf(kind: string): Family | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(kind))?.[0] as Family | undefined;
}

export type Family = keyof typeof FAMILIES;

/** The shape of a whole document, with the spec of its kind. An empty `kind` allows any kind. */
export function documentShape(kind: string, spec: Shape): Shape {
  return mapping(
    spec.description,
    {
      apiVersion: string('The version of the format.', { examples: ['reins/v1'] }),
      kind: string('The kind of the document.', kind === '' ? {} : { enum: [kind] }),
      metadata: mapping(
        'The identity of the document.',
        {
          name: name('The name by which other documents refer to it.'),
          labels: freeForm('Notes for people.'),
          annotations: freeForm('Notes for programs.'),
        },
        { required: ['name'] },
      ),
      spec,
    },
    { required: ['kind', 'metadata'] },
  );
}
