import { STAGES } from '@reins/contracts';
import { GATED_TOOL_PATTERN, PROCESS_PATTERN, RUNTIME_ID_PATTERN } from '../schema/patterns.ts';
import { list, mapping, name, type Shape, string } from '../schema/shape.ts';

export const DEFAULT_MAX_ITERATIONS = 3;
const MAX_ITERATIONS = 100;

const runtime = (description: string): Shape => string(description, { pattern: RUNTIME_ID_PATTERN, examples: ['pi'] });

export const PIPELINE = mapping('Which stages a run goes through. Not given: `execute` alone.', {
  stages: list(
    'The stages, in the order interview, execute, evaluate, reflect.',
    string('A stage.', { enum: STAGES }),
    { minItems: 1, uniqueItems: true, default: ['execute'] },
  ),
  max_iterations: {
    type: 'integer',
    description: 'How often `execute` may run before the run has to end with what it has.',
    minimum: 1,
    maximum: MAX_ITERATIONS,
    default: DEFAULT_MAX_ITERATIONS,
  },
});

export const RUNTIME_PROFILE = mapping(
  'Which runtime each stage is handed to, where the installation lets a workspace choose. Not given: what the installation says.',
  {
    default: runtime('The runtime of every stage that is not named in `stages`.'),
    stages: mapping(
      'The runtime of single stages.',
      Object.fromEntries(STAGES.map((stage) => [stage, runtime(`The runtime of \`${stage}\`.`)])),
    ),
  },
);

export const OUTPUT = mapping('What a run has to leave behind.', {
  schema: {
    type: 'object',
    description: 'A JSON Schema that the final output has to satisfy.',
    additionalProperties: true,
  },
  artifacts: list(
    'Files that are the result of a run: paths in the workspace, or patterns with `*` and `**`.',
    name('A path or a pattern.'),
    { uniqueItems: true },
  ),
});

export const GATED_TOOLS = list(
  'Tools that a person has to approve before each call: a tool, `server.tool`, or `server.*`.',
  string('A tool.', { pattern: GATED_TOOL_PATTERN, examples: ['bash', 'github.create_issue', 'github.*'] }),
  { uniqueItems: true },
);

export const REQUIRED_SERVERS = list(
  'What a run must not go on without: servers of `mcp_registry` and applications, by their ids.',
  string('A server or application; `workspace` for the tools of the catalog.', { examples: ['tickets'] }),
  { uniqueItems: true },
);

export const PROCESS = string(
  'What drives the requests of this workspace in place of `pipeline`: a module of the workspace and one of its exports.',
  { pattern: PROCESS_PATTERN, examples: ['process/main.ts#process'] },
);

export const BUDGETS = mapping('Limits of one run. What is not given does not limit.', {
  max_tokens: { type: 'integer', description: 'Tokens in and out, of all stages.', exclusiveMinimum: 0 },
  max_cost_usd: { type: 'number', description: 'Cost in US dollars.', exclusiveMinimum: 0 },
  max_duration_s: {
    type: 'number',
    description: 'Seconds at work; waiting for people does not count.',
    exclusiveMinimum: 0,
  },
  max_tool_calls: { type: 'integer', description: 'Calls of tools.', exclusiveMinimum: 0 },
  on_exceeded: string('What happens at a limit: `pause` asks a person, `fail` ends the run.', {
    enum: ['pause', 'fail'],
    default: 'fail',
  }),
});

export const PROGRESS = mapping('What is told while a run goes on.', {
  narration: mapping('Sentences about what happens.', {
    enabled: { type: 'boolean', description: 'Whether they are made.', default: false },
    style: name('How they are written.', { examples: ['concise'] }),
    provider: name('Who writes them: `template`, or one that the installation has.', { default: 'template' }),
  }),
});

export const CLI = mapping('What the command line shows of a run.', {
  events: mapping('Events. It changes what is shown, not what is recorded.', {
    include: list('Types, or patterns such as `runtime.tool.*`; `*` is all.', name('A type.'), {
      default: ['runtime.progress.narration'],
    }),
  }),
});

export const RUNTIME = mapping('What people see of a run.', { progress: PROGRESS, cli: CLI });

/** What Reins adds to a workspace in both of its forms. */
export const SHARED_EXTENSIONS = {
  pipeline: PIPELINE,
  runtime_profile: RUNTIME_PROFILE,
  output: OUTPUT,
  gated_tools: GATED_TOOLS,
  required_servers: REQUIRED_SERVERS,
  budgets: BUDGETS,
} as const satisfies Readonly<Record<string, Shape>>;

/** The keys of workspace.yaml that are ours. In an inventory the Runtime document is itself what `runtime` is here. */
export const EXTENSIONS = { ...SHARED_EXTENSIONS, runtime: RUNTIME, process: PROCESS } as const;
