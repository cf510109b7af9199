import type { Problem, Stage } from '@reins/contracts';
import type { CompiledWorkspaceRuntimePlan, PlanMember } from '../plan.ts';
import { leadAgent } from '../plan.ts';
import { VERDICT_SCHEMA } from '../stages.ts';

/** The required format of a stage's output. The host validates the output and retries up to `retryCount` times. */
export interface OutputFormat {
  readonly type: 'json_schema';
  readonly schema: Readonly<Record<string, unknown>>;
  readonly retryCount: number;
}

/** A stage's output format and the agent that it belongs to. */
export interface ResolvedOutput {
  readonly memberId: string | null;
  readonly format: OutputFormat | null;
  /** The path of a workspace module that provides the schema. Only the host may load it. */
  readonly module: string | null;
  /** Why the schema of the workspace is missing. The stage runs without it, because the schema is optional. */
  readonly warning?: Problem;
}

/** How often the host retries after an invalid output, by default. */
export const DEFAULT_OUTPUT_RETRIES = 2;
const MAX_OUTPUT_RETRIES = 10;

/** JSON Schemas by their path in the workspace. */
export type SchemaFiles = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Where the schema of an output can come from, and how often the host retries. */
export interface OutputOptions {
  readonly schemas: SchemaFiles;
  /** The schema of the request. */
  readonly requested?: OutputFormat['schema'] | undefined;
  readonly retries?: number | undefined;
}

/**
 * The output format of a stage. An evaluation returns a verdict. An execution uses the schema of the request, otherwise
 * that of the workspace's output, otherwise that of its agent (`schema_id`, resolved through the aliases, or
 * `schema_module_path`). Other stages return plain text.
 */
export function resolveOutput(
  plan: CompiledWorkspaceRuntimePlan,
  stage: Stage,
  { schemas, requested, retries = DEFAULT_OUTPUT_RETRIES }: OutputOptions,
): ResolvedOutput {
  const retryCount = Math.min(MAX_OUTPUT_RETRIES, Math.max(0, Math.trunc(retries)));
  const none: ResolvedOutput = { memberId: null, format: null, module: null };
  const withSchema = (memberId: string | null, schema: OutputFormat['schema']): ResolvedOutput => ({
    ...none,
    memberId,
    format: { type: 'json_schema', schema, retryCount },
  });
  if (stage === 'evaluate') return withSchema(null, VERDICT_SCHEMA);
  if (stage !== 'execute') return none;
  const outputSchema = requested ?? plan.extensions?.output?.schema;
  const agent = leadAgent(plan);
  if (outputSchema !== undefined) return withSchema(agent.id, outputSchema);
  const path = schemaPath(plan, agent);
  if (path === null) return none;
  if (isSchemaModule(path)) return { ...none, memberId: agent.id, module: path };
  const schema = Object.hasOwn(schemas, path) ? schemas[path] : undefined;
  return schema === undefined ? { ...none, warning: missingSchema(agent, path) } : withSchema(agent.id, schema);
}

/** The path of the JSON Schema file that must be read for a stage, or null when there is none. */
export function schemaFileOf(plan: CompiledWorkspaceRuntimePlan, stage: Stage): string | null {
  if (stage !== 'execute' || plan.extensions?.output?.schema !== undefined) return null;
  const path = schemaPath(plan, leadAgent(plan));
  return path === null || isSchemaModule(path) ? null : path;
}

/** Whether the schema is provided by code. */
function isSchemaModule(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** The path of an agent's output schema, or null when it has none. */
function schemaPath(plan: CompiledWorkspaceRuntimePlan, agent: PlanMember): string | null {
  if (agent.schema_module_path !== null) return agent.schema_module_path;
  if (agent.schema_id === null) return null;
  const aliases = plan.schema_aliases;
  return Object.hasOwn(aliases, agent.schema_id) ? (aliases[agent.schema_id] ?? null) : agent.schema_id;
}

function missingSchema(agent: PlanMember, path: string): Problem {
  return {
    code: 'output_schema_missing',
    message: `the output schema '${path}' of agent '${agent.id}' does not exist`,
    path: agent.schema_id === null ? 'agents.schema_module_path' : 'agents.schema_id',
    hint: 'Add the JSON Schema file to the workspace, or correct schema_registry.aliases.',
  };
}
