import { CLI, PROGRESS, SHARED_EXTENSIONS } from '../extensions/shapes.ts';
import { RUNTIME_ID_PATTERN, TOOL_MODULE_PATTERN } from '../schema/patterns.ts';
import { anything, list, mapping, name, named, type Shape, string } from '../schema/shape.ts';
import { SERVER } from '../schema/workspace.ts';

/** The two ends of every graph. */
export const START = 'START';
export const END = 'END';

const free = (description: string): Shape => ({ type: 'object', description, additionalProperties: true });
const names = (description: string): Shape => list(description, name('A name.'), { uniqueItems: true, default: [] });

const EDGES = list(
  `The steps of a graph. Its ends are \`${START}\` and \`${END}\`.`,
  mapping(
    'A step.',
    {
      from: name('Where it begins.'),
      to: name('Where it leads.'),
      when: name('A condition that the backend understands.'),
    },
    { required: ['from', 'to'] },
  ),
);

const RUNTIME = mapping('The workspace as a whole. At most one document.', {
  defaultAgent: name('The agent that answers when a request names none; the only one, when there is one.'),
  routes: named('Names for workflows, by which requests ask for them.', name('The name of a Workflow.')),
  adapters: free('Configuration of runtimes, by runtime id.'),
  protocols: free('Configuration of protocols.'),
  progress: PROGRESS,
  cli: CLI,
  ...SHARED_EXTENSIONS,
});

const AGENT = mapping(
  'An agent.',
  {
    description: string('What the agent is for.'),
    backend: string('The runtime that the agent is made for.', { pattern: RUNTIME_ID_PATTERN }),
    model: name('The name of a Model.'),
    instructions: string('What the agent is told, after AGENTS.md.'),
    tools: names('Names of Tools.'),
    skills: names('Names of Skills.'),
    subagents: names('Names of Agents that it may hand work to.'),
    edges: EDGES,
    outputSchema: name('The schema of its output: an id.'),
    config: free('Passed to the backend as it is.'),
  },
  { required: ['model'] },
);

const MODEL = mapping(
  'A model.',
  {
    provider: name('Who serves it.'),
    model: name('Its name there.'),
    parameters: free('Passed to the provider as they are.'),
  },
  { required: ['provider', 'model'] },
);

const TOOL = mapping(
  'A tool.',
  {
    type: string(
      '`module`: a function of the workspace; `mcp`: a tool of an MCP server; `builtin`: one of the runtime.',
      {
        enum: ['module', 'mcp', 'builtin'],
      },
    ),
    description: string('What the tool does.'),
    module: string('The module in the folder tools (module).', { pattern: TOOL_MODULE_PATTERN }),
    symbol: name('The function that the module exports (module).'),
    server: name('The name of an McpServer (mcp).'),
    tool: name('The name of the tool there (mcp, builtin). Default: that of the document.'),
    approval: { type: 'boolean', description: 'Whether a person has to approve each call.', default: false },
  },
  { required: ['type'] },
);

const SKILL = mapping('A skill.', {
  path: name('Its folder. Default: skills/<name>.'),
  description: string('What the skill is for.'),
});

const WORKFLOW = mapping(
  'A graph of agents, tools and skills.',
  {
    description: string('What the workflow does.'),
    nodes: list(
      'The nodes of the graph.',
      mapping(
        'A node: one of agent, tool and skill.',
        {
          id: name('Its name in the graph.'),
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
  { configPath: name('Its manifest, relative to the workspace.') },
  { required: ['configPath'] },
);

const POLICY: Shape = {
  ...mapping('A policy.', {
    approval: mapping('What a person has to approve.', { tools: names('Names of Tools.') }),
  }),
  additionalProperties: anything('Carried in the plan as it is.'),
};

/** The kinds whose documents are read in full. */
export const KINDS = {
  Runtime: RUNTIME,
  Agent: AGENT,
  Model: MODEL,
  Tool: TOOL,
  McpServer: SERVER,
  Skill: SKILL,
  Workflow: WORKFLOW,
  Application: APPLICATION,
} as const satisfies Readonly<Record<string, Shape>>;

export type Kind = keyof typeof KINDS;

/** Families of kinds whose documents are carried in the plan, by the name of the kind. */
export const FAMILIES = {
  memory: { pattern: '^Memory', about: 'carried in the plan for the memory service.', shape: free('Memory.') },
  protocols: { pattern: 'Protocol$', about: 'carried in the plan for the gateway.', shape: free('A protocol.') },
  policies: {
    pattern: 'Policy$',
    about: 'carried in the plan; `spec.approval.tools` names Tools that a person has to approve.',
    shape: POLICY,
  },
} as const;

const PATTERNS = Object.entries(FAMILIES).map(([family, { pattern }]) => [family, new RegExp(pattern)] as const);

/** The family that a kind belongs to. */
export function familyOf(kind: string): Family | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(kind))?.[0] as Family | undefined;
}

export type Family = keyof typeof FAMILIES;

/** One document: the envelope around the spec of its kind; of any kind, when none is named. */
export function documentShape(kind: string, spec: Shape): Shape {
  return mapping(
    spec.description,
    {
      apiVersion: string('The version of the format.', { examples: ['reins/v1'] }),
      kind: string('The kind of the document.', kind === '' ? {} : { enum: [kind] }),
      metadata: mapping(
        'Who the document is.',
        {
          name: name('The name by which other documents refer to it.'),
          labels: free('Notes for people.'),
          annotations: free('Notes for programs.'),
        },
        { required: ['name'] },
      ),
      spec,
    },
    { required: ['kind', 'metadata'] },
  );
}
