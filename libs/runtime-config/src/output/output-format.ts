import type { Problem, Stage } from '@reins/contracts';
import type { CompiledWorkspaceRuntimePlan, PlanMember } from '../plan.ts';
import { leadAgent } from '../plan.ts';
import { VERDICT_SCHEMA } from '../stages.ts';

/** The form that a stage's answer must have. The host checks it, and asks again as often as it says. */
export interface OutputFormat {
  readonly type: 'json_schema';
  readonly schema: Readonly<Record<string, unknown>>;
  readonly retryCount: number;
}

/** A stage's output format with the agent it belongs to. */
export interface ResolvedOutput {
  readonly memberId: string | null;
  readonly format: OutputFormat | null;
  /** The schema is given by a module of the workspace, which only the host may load. */
  readonly module: string | null;
  /** Why a form that the workspace asks for is not there. The stage runs without it: it is a wish of the author, not a need of the run. */
  readonly warning?: Problem;
}

/** How often an answer of the wrong form is asked for again where nothing else is said. */
export const DEFAULT_OUTPUT_RETRIES = 2;
const MAX_OUTPUT_RETRIES = 10;

/** JSON Schemas by their path in the workspace, as they were read. */
export type SchemaFiles = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The form of a stage's answer: a verdict for an evaluation; for an execution the schema of the workspace's output, else that of its
 * agent (`schema_id`, looked up in the aliases, or `schema_module_path`). The other stages answer in prose.
 */
export function resolveOutput(
  plan: CompiledWorkspaceRuntimePlan,
  stage: Stage,
  schemas: SchemaFiles,
  retries: number = DEFAULT_OUTPUT_RETRIES,
): ResolvedOutput {
  const retryCount = Math.min(MAX_OUTPUT_RETRIES, Math.max(0, Math.trunc(retries)));
  const none: ResolvedOutput = { memberId: null, format: null, module: null };
  const given = (memberId: string | null, schema: OutputFormat['schema']): ResolvedOutput => ({
    ...none,
    memberId,
    format: { type: 'json_schema', schema, retryCount },
  });
  if (stage === 'evaluate') return given(null, VERDICT_SCHEMA);
  if (stage !== 'execute') return none;
  const own = plan.extensions?.output?.schema;
  const agent = leadAgent(plan);
  if (own !== undefined) return given(agent.id, own);
  const path = schemaPath(plan, agent);
  if (path === null) return none;
  if (isSchemaModule(path)) return { ...none, memberId: agent.id, module: path };
  const schema = Object.hasOwn(schemas, path) ? schemas[path] : undefined;
  return schema === undefined ? { ...none, warning: missingSchema(agent, path) } : given(agent.id, schema);
}

/** The path of the JSON Schema that a stage's answer needs read, or null where there is none to be read. */
export function schemaFileOf(plan: CompiledWorkspaceRuntimePlan, stage: Stage): string | null {
  if (stage !== 'execute' || plan.extensions?.output?.schema !== undefined) return null;
  const path = schemaPath(plan, leadAgent(plan));
  return path === null || isSchemaModule(path) ? null : path;
}

/** Whether a schema is given by code. */
function isSchemaModule(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** The file that holds the schema of an agent's output, or null where it has none. */
export function schemaPath(plan: CompiledWorkspaceRuntimePlan, agent: PlanMember): string | null {
  if (agent.schema_module_path !== null) return agent.schema_module_path;
  if (agent.schema_id === null) return null;
  const aliases = plan.schema_aliases;
  return Object.hasOwn(aliases, agent.schema_id) ? (aliases[agent.schema_id] ?? null) : agent.schema_id;
}

function missingSchema(agent: PlanMember, path: string): Problem {
  return {
    code: 'output_schema_missing',
    message: `the output schema of agent '${agent.id}' is not there: '${path}'`,
    path: agent.schema_id === null ? 'agents.schema_module_path' : 'agents.schema_id',
    hint: 'add the JSON Schema file to the workspace, or correct schema_registry.aliases',
  };
}
