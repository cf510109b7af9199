import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { DefinedTask, ProcessContext, TaskBuildContext } from '../process-context.ts';
import { RunFailedError } from './errors.ts';

/**
 * Policy rules for the tasks that a run may request. Of the rules that apply, the strictest wins: deny, then warn, then
 * allow.
 */
export interface Governance {
  readonly policyRules: readonly PolicyRule[];
}

export interface PolicyRule {
  readonly id?: string;
  readonly action: 'deny' | 'warn' | 'allow';
  /**
   * All conditions must hold; a rule without conditions always applies. Fields: effectKind, taskId, processId, runId,
   * labels, metadata.<name>.
   */
  readonly conditions?: readonly { readonly field: string; readonly operator: Operator; readonly value: JsonValue }[];
}

type Operator = keyof typeof OPERATORS;

const OPERATORS = {
  eq: (a: JsonValue, b: JsonValue) => a === b,
  neq: (a: JsonValue, b: JsonValue) => a !== b,
  gt: (a: JsonValue, b: JsonValue) => Number(a) > Number(b),
  lt: (a: JsonValue, b: JsonValue) => Number(a) < Number(b),
  gte: (a: JsonValue, b: JsonValue) => Number(a) >= Number(b),
  lte: (a: JsonValue, b: JsonValue) => Number(a) <= Number(b),
  contains: (a: JsonValue, b: JsonValue) => (Array.isArray(a) ? a.includes(b) : String(a).includes(String(b))),
  matches: (a: JsonValue, b: JsonValue) => new RegExp(String(b)).test(String(a)),
};

const STRICTEST_FIRST = ['deny', 'warn', 'allow'] as const;

/**
 * Applies the rules that the run was created with to a task. A denied task fails the run before anything is requested;
 * a warning lets it continue. Both are logged in the journal.
 */
export function governed<Args>(
  task: DefinedTask<Args>,
  { governance, processId, log }: { governance: Governance; processId: string; log: ProcessContext['log'] },
): DefinedTask<Args> {
  if (typeof task?.build !== 'function') return task;
  const build = (args: Args, context: TaskBuildContext) => {
    const definition = task.build(args, context);
    const { taskId, runId } = context;
    const facts = { ...definition, effectKind: definition?.kind, taskId, processId, runId } as JsonObject;
    const rule = strictestRule(governance.policyRules, facts);
    if (!rule || rule.action === 'allow') return definition;
    log('governance', { action: rule.action, rule: rule.id ?? null, taskId });
    if (rule.action === 'deny')
      throw new RunFailedError(`a policy rule denies task ${taskId}: ${rule.id ?? 'unnamed'}`);
    return definition;
  };
  return { id: task.id, build };
}

function strictestRule(rules: readonly PolicyRule[], facts: JsonObject): PolicyRule | undefined {
  const applying = rules.filter((rule) => applies(rule, facts));
  return STRICTEST_FIRST.map((action) => applying.find((rule) => rule.action === action)).find((rule) => rule);
}

/** @throws RunFailedError for an invalid rule, because it might have denied the task */
function applies(rule: PolicyRule, facts: JsonObject): boolean {
  if (ruleProblems(rule, '').length > 0) throw new RunFailedError('a policy rule is invalid');
  const { conditions = [] } = rule;
  return conditions.every(({ field, operator, value }) => OPERATORS[operator](factOf(facts, field), value));
}

/** A problem at one place of the rules. */
export interface GovernanceProblem {
  readonly path: string;
  readonly message: string;
}

/** Validates the rules for a new run. @returns all problems; empty when the rules are valid */
export function governanceProblems({ policyRules = [] }: JsonObject): GovernanceProblem[] {
  if (!Array.isArray(policyRules)) return [{ path: 'policyRules', message: 'must be an array' }];
  return policyRules.flatMap((rule: unknown, i) => ruleProblems(rule, `policyRules[${i}]`));
}

function ruleProblems(rule: unknown, path: string): GovernanceProblem[] {
  if (!isObject(rule)) return [{ path, message: 'must be an object' }];
  const { action } = rule;
  const conditions = rule.conditions ?? [];
  const isKnown = STRICTEST_FIRST.some((known) => known === action);
  const wrong = isKnown ? [] : [{ path: `${path}.action`, message: `must be one of ${STRICTEST_FIRST.join(', ')}` }];
  if (!Array.isArray(conditions)) return [...wrong, { path: `${path}.conditions`, message: 'must be an array' }];
  return [...wrong, ...conditions.flatMap((one: unknown, i) => conditionProblems(one, `${path}.conditions[${i}]`))];
}

function conditionProblems(condition: unknown, path: string): GovernanceProblem[] {
  if (!isObject(condition)) return [{ path, message: 'must be an object' }];
  const { field, operator, value } = condition;
  if (typeof field !== 'string') return [{ path: `${path}.field`, message: 'must be a string' }];
  if (!Object.hasOwn(OPERATORS, String(operator)))
    return [{ path: `${path}.operator`, message: `must be one of ${Object.keys(OPERATORS).join(', ')}` }];
  if (operator !== 'matches' || isPattern(String(value))) return [];
  return [{ path: `${path}.value`, message: 'must be a JavaScript regular expression' }];
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== null;
  } catch {
    return false;
  }
}

function factOf(facts: JsonObject, field: string): JsonValue {
  const found = field
    .split('.')
    .reduce<JsonValue | undefined>((at, name) => (isObject(at) ? at[name] : undefined), facts);
  return found ?? null;
}

/** The rules in the metadata of a run. */
export function governanceIn(metadata: JsonObject | undefined): Governance | undefined {
  const governance = metadata?.governance;
  const isSet = isObject(governance) && Array.isArray(governance.policyRules) && governance.policyRules.length > 0;
  return isSet ? (governance as unknown as Governance) : undefined;
}
