import { STAGES } from '@reins/contracts';
import { GATED_TOOL_PATTERN, PROCESS_PATTERN, RUNTIME_ID_PATTERN } from '../schema/patterns.ts';
import { list, mapping, name, type Shape, string } from '../schema/shape.ts';

export const DEFAULT_MAX_ITERATIONS = 3;
const MAX_ITERATIONS = 100;

const runtime = (description: string): Shape => string(description, { pattern: RUNTIME_ID_PATTERN, examples: ['pi'] });

export const PIPELINE = mapping('The stages of a run. Default: only `execute`.', {
  stages: list(`The stages, in the order ${STAGES.join(', ')}.`, string('A stage.', { enum: STAGES }), {
    minItems: 1,
    uniqueItems: true,
    default: ['execute'],
  }),
  max_iterations: {
    type: 'integer',
    description:
      'Maximum number of `execute` iterations. If the verdict of the last iteration is `fail`, the run fails.',
    minimum: 1,
    maximum: MAX_ITERATIONS,
    default: DEFAULT_MAX_ITERATIONS,
  },
});

export const RUNTIME_PROFILE = mapping(
  'The runtime of each stage, if the installation allows this choice. Default: the runtime in the settings of the installation.',
  {
    default: runtime('The runtime of the stages that are not listed in `stages`.'),
    stages: mapping(
      'The runtime of individual stages.',
      Object.fromEntries(STAGES.map((stage) => [stage, runtime(`The runtime of \`${stage}\`.`)])),
    ),
  },
);

export const OUTPUT = mapping('What a run must produce.', {
  schema: {
    type: 'object',
    description: 'A JSON Schema that the final output must satisfy.',
    additionalProperties: true,
  },
  artifacts: list(
    'Files that a run produces: paths in the workspace, or patterns with `*` and `**`.',
    name('A path or a pattern.'),
    { uniqueItems: true },
  ),
});

export const GATED_TOOLS = list(
  'Tools that a run must not call, unless a selected skill grants them: a tool, `server.tool`, or `server.*`.',
  string('A tool.', { pattern: GATED_TOOL_PATTERN, examples: ['bash', 'github.create_issue', 'github.*'] }),
  { uniqueItems: true },
);

export const REQUIRED_SERVERS = list(
  'Ids of servers and applications that a run requires. If one of them is unavailable, the run does not continue.',
  string('The id of a server or application; `workspace` for the tools of the catalog.', { examples: ['tickets'] }),
  { uniqueItems: true },
);

export const PROCESS = string(
  'The process that handles requests of this workspace instead of `pipeline`: a module of the workspace and one of its exports.',
  { pattern: PROCESS_PATTERN, examples: ['process/main.ts#process'] },
);

export const BUDGETS = mapping(
  'Limits of one run. This version enforces only `max_tokens` and `max_cost_usd`. When a limit is reached, the stage fails, even with `on_exceeded: pause`.',
  {
    max_tokens: {
      type: 'integer',
      description: 'Input and output tokens of all stages, including those of child runs.',
      exclusiveMinimum: 0,
    },
    max_cost_usd: {
      type: 'number',
      description: 'Cost in US dollars. Refused if the price of a model is unknown.',
      exclusiveMinimum: 0,
    },
    max_duration_s: {
      type: 'number',
      description:
        'Seconds of work; time spent waiting for people does not count. Not enforced: `reins compile` warns.',
      exclusiveMinimum: 0,
    },
    max_tool_calls: {
      type: 'integer',
      description: 'The number of tool calls. Not enforced: `reins compile` warns.',
      exclusiveMinimum: 0,
    },
    on_exceeded: string('What happens when a limit is reached.', {
      enum: ['pause', 'fail'],
      default: 'fail',
    }),
  },
);

export const PROGRESS = mapping('What is reported while a run is in progress.', {
  narration: mapping('Short texts that describe the progress.', {
    enabled: { type: 'boolean', description: 'Whether narration is enabled.', default: false },
    style: name('The style of the texts.', { examples: ['concise'] }),
    provider: name('The narration provider: `template`, or one that the installation provides.', {
      default: 'template',
    }),
  }),
});

export const CLI = mapping('What the CLI shows of a run.', {
  events: mapping('The events that are shown. Has no effect on what is recorded.', {
    include: list('Event types, or patterns such as `runtime.tool.*`; `*` matches all.', name('An event type.'), {
      default: ['runtime.progress.narration'],
    }),
  }),
});

/** The scopes of memory that a run has. */
export const MEMORY_SCOPES = ['user', 'workspace', 'agent', 'session'] as const;
export const DEFAULT_MEMORY_LIMIT = 8;
export const DEFAULT_MEMORY_TOKENS = 300;

const MEMORY_SCOPE = string('Whose memory: that of the user, the workspace, the agent or the session of the run.', {
  enum: MEMORY_SCOPES,
});

/** What a Memory document and an entry of `memory` have in common. */
export const MEMORY_RECALL = {
  limit: {
    type: 'integer',
    description: 'Maximum number of recalled records. 0: none are recalled.',
    minimum: 0,
    maximum: 50,
    default: DEFAULT_MEMORY_LIMIT,
  },
  max_tokens: {
    type: 'integer',
    description: 'Maximum tokens of the recalled records in the prompt, estimated.',
    minimum: 20,
    maximum: 4000,
    default: DEFAULT_MEMORY_TOKENS,
  },
} as const satisfies Readonly<Record<string, Shape>>;

export const MEMORY = list(
  'The memory that runs use. At most one entry for each scope.',
  mapping('The memory of one scope.', { scope: MEMORY_SCOPE, ...MEMORY_RECALL }, { required: ['scope'] }),
  { examples: [[{ scope: 'user' }, { scope: 'workspace', limit: 4 }]] },
);

/** The spec of a document of the kind Memory. */
export const MEMORY_DOCUMENT: Shape = {
  ...mapping('The memory of one scope. Without a scope, the document is only copied to the plan.', {
    scope: MEMORY_SCOPE,
    ...MEMORY_RECALL,
  }),
  additionalProperties: true,
};

export const RUNTIME = mapping('How a run is shown to users.', { progress: PROGRESS, cli: CLI });

/** The Reins extensions that both forms of a workspace have. */
export const SHARED_EXTENSIONS = {
  pipeline: PIPELINE,
  runtime_profile: RUNTIME_PROFILE,
  output: OUTPUT,
  gated_tools: GATED_TOOLS,
  required_servers: REQUIRED_SERVERS,
  budgets: BUDGETS,
} as const satisfies Readonly<Record<string, Shape>>;

/** The Reins extensions of workspace.yaml. In an inventory, the Runtime document takes the place of `runtime`. */
export const EXTENSIONS = { ...SHARED_EXTENSIONS, memory: MEMORY, runtime: RUNTIME, process: PROCESS } as const;
