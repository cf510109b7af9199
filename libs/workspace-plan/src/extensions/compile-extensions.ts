import { STAGES, type Stage } from '@reins/contracts';
import { patternProblem } from '../compile/paths.ts';
import type { Scope } from '../compile/scope.ts';
import { isAbsent, ownProperty } from '../compile/values.ts';
import {
  type PlanBudgets,
  type PlanExtensions,
  type PlanMemory,
  type PlanOutput,
  type PlanPipeline,
  type PlanRuntime,
  type PlanRuntimeProfile,
} from '../plan.ts';
import { stageFile } from '../references.ts';
import { readShape } from '../schema/read-shape.ts';
import { checkSchemaTypes } from './output-schema.ts';
import { DEFAULT_MAX_ITERATIONS, DEFAULT_MEMORY_LIMIT, DEFAULT_MEMORY_TOKENS, EXTENSIONS } from './shapes.ts';

/** Reads the Reins extensions of a workspace. Returns undefined when there are none. */
export function compileExtensions(scope: Scope): PlanExtensions | undefined {
  const extensions: PlanExtensions = {
    ...entry('pipeline', compilePipeline(scope)),
    ...entry('runtime_profile', compileProfile(scope)),
    ...entry('output', compileOutput(scope)),
    ...entry('gated_tools', read<readonly string[]>(scope, 'gated_tools')),
    ...entry('required_servers', read<readonly string[]>(scope, 'required_servers')),
    ...entry('budgets', compileBudgets(scope)),
    ...entry('memory', compileMemory(scope)),
    ...entry('runtime', compileRuntime(scope)),
    ...entry('process', read<string>(scope, 'process')),
  };
  return Object.keys(extensions).length > 0 ? extensions : undefined;
}

/** Returns the value as `T`; the shape of the key guarantees the type. */
function read<T>(scope: Scope, key: keyof typeof EXTENSIONS): T | undefined {
  const value = ownProperty(scope.root, key);
  if (isAbsent(value)) return undefined;
  return readShape(scope.report, value, EXTENSIONS[key], [key], 'workspace_field_invalid') as T | undefined;
}

function entry<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, T>);
}

function compilePipeline(scope: Scope): PlanPipeline | undefined {
  warnUnusedInstructions(scope);
  const declared = read<Partial<PlanPipeline>>(scope, 'pipeline');
  if (!declared) return undefined;
  const { stages = ['execute'], max_iterations = DEFAULT_MAX_ITERATIONS } = declared;
  if (!isInStageOrder(stages)) {
    scope.report.strictError({
      code: 'workspace_field_invalid',
      at: ['pipeline', 'stages'],
      message: `the stages of a pipeline must be in the order ${STAGES.join(', ')}`,
      specificHint: `write them in this order: ${STAGES.filter((stage) => stages.includes(stage)).join(', ')}`,
    });
  }
  if (stages.includes('reflect') && !stages.includes('evaluate')) {
    scope.report.warn({
      code: 'workspace_value_ignored',
      at: ['pipeline', 'stages', stages.indexOf('reflect')],
      message: "'reflect' never runs, because the pipeline has no 'evaluate' stage",
    });
  }
  return { stages, max_iterations, instructions: instructionsOf(scope, stages) };
}

function isInStageOrder(stages: readonly Stage[]): boolean {
  return stages.every((stage, i) => i === 0 || STAGES.indexOf(stage) > STAGES.indexOf(stages[i - 1] as Stage));
}

function instructionsOf(scope: Scope, stages: readonly Stage[]): PlanPipeline['instructions'] {
  const instructions: Partial<Record<Stage, string>> = {};
  for (const stage of stages) {
    const text = ownProperty(scope.references, stageFile(stage));
    if (typeof text === 'string' && text.trim() !== '') instructions[stage] = text;
  }
  return instructions;
}

/** Instructions for a stage that never runs usually mean that the stage was forgotten in the pipeline. */
function warnUnusedInstructions(scope: Scope): void {
  const pipeline = ownProperty(scope.root, 'pipeline');
  const stages = (pipeline as { stages?: unknown } | null | undefined)?.stages;
  const running: readonly unknown[] = Array.isArray(stages) ? stages : ['execute'];
  for (const stage of STAGES) {
    if (!Object.hasOwn(scope.references, stageFile(stage))) continue;
    if (!isAbsent(pipeline) && running.includes(stage)) continue;
    scope.report.warn({
      code: 'workspace_value_ignored',
      at: ['pipeline', 'stages'],
      displayPath: stageFile(stage),
      pointsAtKey: true,
      message: `${stageFile(stage)} is ignored: the pipeline has no stage '${stage}'`,
      specificHint: `add '${stage}' to pipeline.stages`,
    });
  }
}

function compileProfile(scope: Scope): PlanRuntimeProfile | undefined {
  const declared = read<Partial<PlanRuntimeProfile>>(scope, 'runtime_profile');
  return declared && { ...declared, stages: declared.stages ?? {} };
}

function compileOutput(scope: Scope): PlanOutput | undefined {
  const declared = read<Partial<PlanOutput>>(scope, 'output');
  for (const [index, pattern] of (declared?.artifacts ?? []).entries()) {
    const problem = patternProblem(pattern);
    if (problem === undefined) continue;
    const at = ['output', 'artifacts', index];
    scope.report.strictError({
      code: 'workspace_path_escapes',
      at,
      hasLegacyAlias: false,
      message: `'${pattern}' ${problem}`,
    });
  }
  if (declared?.schema) checkSchemaTypes(scope.report, declared.schema, ['output', 'schema']);
  return declared && { ...declared, artifacts: declared.artifacts ?? [] };
}

function compileBudgets(scope: Scope): PlanBudgets | undefined {
  const declared = read<Partial<PlanBudgets>>(scope, 'budgets');
  if (declared) warnUnenforced(scope, declared);
  return declared && { ...declared, on_exceeded: declared.on_exceeded ?? 'fail' };
}

function compileMemory(scope: Scope): readonly PlanMemory[] | undefined {
  const declared = read<readonly (Pick<PlanMemory, 'scope'> & Partial<PlanMemory>)[]>(scope, 'memory');
  for (const [index, { scope: name }] of (declared ?? []).entries()) {
    if (declared?.findIndex((use) => use.scope === name) === index) continue;
    scope.report.strictError({
      code: 'workspace_field_invalid',
      at: ['memory', index],
      message: `the memory of the scope '${name}' is declared twice`,
      specificHint: 'declare each scope once',
    });
  }
  return declared?.map(({ scope: name, limit = DEFAULT_MEMORY_LIMIT, max_tokens = DEFAULT_MEMORY_TOKENS }) => ({
    scope: name,
    limit,
    max_tokens,
  }));
}

/** A limit without an effect would look like protection. */
function warnUnenforced({ report }: Scope, budgets: Partial<PlanBudgets>): void {
  for (const key of ['max_duration_s', 'max_tool_calls'] as const) {
    if (budgets[key] === undefined) continue;
    report.warn({
      code: 'workspace_value_ignored',
      at: ['budgets', key],
      message: `this version does not enforce '${key}': a run is not limited by it`,
      specificHint: 'limit runs with max_tokens or max_cost_usd',
    });
  }
  if (budgets.on_exceeded !== 'pause') return;
  report.warn({
    code: 'workspace_value_ignored',
    at: ['budgets', 'on_exceeded'],
    message: "this version does not pause a run at a limit: its stage fails with 'budget_exceeded'",
    specificHint: 'remove it, or write on_exceeded: fail',
  });
}

interface RuntimeSection {
  readonly progress?: { readonly narration?: Partial<PlanRuntime['narration']> };
  readonly cli?: { readonly events?: { readonly include?: readonly string[] } };
}

function compileRuntime(scope: Scope): PlanRuntime | undefined {
  const declared = read<RuntimeSection>(scope, 'runtime');
  return (
    declared && {
      narration: { enabled: false, provider: 'template', ...declared.progress?.narration },
      cli_events: declared.cli?.events?.include ?? ['runtime.progress.narration'],
    }
  );
}
