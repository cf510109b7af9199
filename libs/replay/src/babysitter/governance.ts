import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { effectKind } from '@reins/journal';
import type { Admission, RequestedEffect } from '../process-definition.ts';
import { RunFailedError } from './errors.ts';

/**
 * Policy rules for the effects that a run may request. Of the rules that apply, the strictest wins: deny, then warn, then
 * allow.
 */
export interface Governance {
  readonly policyRules: readonly PolicyRule[];
}

export interface PolicyRule {
  readonly id?: string;
  readonly action: 'deny' | 'warn' | 'allow';
  /**
   * All conditions must hold; a rule without conditions always applies. Fields: effectKind (of a task the kind of its
   * definition), taskId, processId, runId, labels, metadata.<name>.
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
 * Applies the rules that the run was created with to an effect that its process requests. A denied effect is not
 * requested, and the call throws `RunFailedError`; a warning lets it pass. Both are logged in the journal. Pure, so the
 * process and the owner of its run decide the same.
 */
export function admission({ policyRules }: Governance, processId: string, asked: RequestedEffect): Admission {
  try {
    const rule = strictestRule(policyRules, factsOf(processId, asked));
    return rule === undefined || rule.action === 'allow' ? {} : outcomeOf(rule, asked);
  } catch (error) {
    const refused = error instanceof RunFailedError ? error : new RunFailedError('a policy rule cannot be applied');
    return { refused };
  }
}

function outcomeOf({ action, id }: PolicyRule, { kind, request: { taskId } }: RequestedEffect): Admission {
  const isTask = effectKind(kind).hasDefinition && taskId !== undefined;
  const log = {
    label: 'governance',
    message: { action, rule: id ?? null, ...(isTask ? { taskId } : { effectKind: kind }) },
  };
  if (action === 'warn') return { log };
  const what = isTask ? `task ${taskId}` : `the effect ${kind}`;
  return { log, refused: new RunFailedError(`a policy rule denies ${what}: ${id ?? 'unnamed'}`) };
}

/**
 * What the rules are applied to. A task has two kinds when its request and its definition differ: workers may look at
 * either.
 */
function factsOf(processId: string, { kind, request, label, runId }: RequestedEffect): readonly JsonObject[] {
  const about = { processId, runId };
  if (!effectKind(kind).hasDefinition)
    return [{ ...request, ...about, effectKind: kind, labels: label === undefined ? [] : [label] }];
  const { taskId = null, definition = {} } = request;
  const described = isObject(definition) ? definition : {};
  const labels = labelsOf(described, taskId, label);
  const kinds = new Set([request.kind ?? null, described.kind ?? request.kind ?? null]);
  return [...kinds].map((effectKind) => ({ ...described, ...about, ...labels, effectKind, taskId }));
}

/** The labels of the definition, and that of the call unless it is the name that the task has without one. */
function labelsOf({ labels, title }: JsonObject, taskId: JsonValue, label = ''): JsonObject {
  const listed = Array.isArray(labels) ? labels.map((one) => String(one).trim()) : [];
  const isOwn = ['', taskId, String(title).trim(), ...listed].includes(label);
  return isOwn ? {} : { labels: [...listed, label] };
}

function strictestRule(rules: readonly PolicyRule[], facts: readonly JsonObject[]): PolicyRule | undefined {
  const applying = rules.filter((rule) => facts.some((one) => applies(rule, one)));
  return STRICTEST_FIRST.map((action) => applying.find((rule) => rule.action === action)).find((rule) => rule);
}

/** @throws RunFailedError for an invalid rule, because it might have denied the effect */
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
