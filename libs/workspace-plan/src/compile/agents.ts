import { nearest } from '@reins/contracts';
import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { PlanMember } from '../plan.ts';
import { PROMPT_FILE } from '../references.ts';
import { pathProblem } from './paths.ts';
import type { Scope } from './scope.ts';
import { isMapping, kindOf, type Mapping, ownProperty, type Path, text } from './values.ts';

const MISSING_HINT =
  "set 'agents' to an object with non-empty 'id' and 'model'; workspace instructions come from root 'AGENTS.md' when present";
const FIELDS_HINT = "set 'agents' to an object with non-empty 'id' and 'model'";

const TEAM_ADVICE =
  "to make a team, mark one of the agents with 'coordinator: true'; for a single agent write a mapping";
const GENERAL_ADVICE = "write 'id' and 'model' directly under 'agents', without 'general'";

const MEMBER_KEYS = ['id', 'model', 'role', 'schema_id', 'schema_module_path', 'prompt'];

/** Reads `agents` as one agent. Every field is checked, even after an error in another one. */
export function compileAgent(scope: Scope): PlanMember | undefined {
  const agents = ownProperty(scope.root, 'agents');
  if (!isMapping(agents)) {
    scope.report.error({
      code: 'workspace_general_missing',
      at: ['agents'],
      pointsAtKey: true,
      message: "missing object field 'agents'",
      legacyHint: MISSING_HINT,
      specificHint: Array.isArray(agents) ? TEAM_ADVICE : undefined,
    });
    return undefined;
  }
  const missing = ['id', 'model'].filter((field) => !Object.hasOwn(agents, field));
  if (missing.length > 0) {
    reportMissing(scope, agents, missing);
    return undefined;
  }
  return readMember(scope, agents, ['agents']);
}

/** Points at the key that was probably meant, if there is one. */
function reportMissing({ report }: Scope, agents: Mapping, missing: readonly string[]): void {
  const unknown = Object.keys(agents).filter((key) => !MEMBER_KEYS.includes(key));
  const misspelt = unknown.find((key) => nearest(key, missing) !== undefined);
  const meant = misspelt === undefined ? undefined : `did you mean '${nearest(misspelt, missing)}'?`;
  const fields = missing.map((field) => `'agents.${field}'`).join(' and ');
  report.error({
    code: 'workspace_general_missing',
    at: misspelt === undefined ? ['agents'] : ['agents', misspelt],
    displayPath: 'agents',
    pointsAtKey: true,
    message: "missing required fields 'agents.id' and 'agents.model'",
    specificMessage: `missing required ${missing.length === 1 ? 'field' : 'fields'} ${fields}`,
    legacyHint: FIELDS_HINT,
    specificHint: Object.hasOwn(agents, 'general') ? GENERAL_ADVICE : meant,
  });
}

/** Reads one agent. `origin` becomes its `config_path` in the plan. */
export function readMember(scope: Scope, agent: Mapping, path: Path, origin = 'agents'): PlanMember | undefined {
  const fields = new MemberFields(scope, agent, path);
  const id = fields.required('id');
  const model = fields.required('model');
  if (model !== undefined) fields.checkModel(model);
  if (Object.hasOwn(agent, 'prompt')) {
    fields.error(
      'workspace_prompt_inline_not_allowed',
      ['prompt'],
      'inline prompt content is not allowed; use AGENTS.md',
      {
        specificHint: 'move the text to AGENTS.md in the root folder of the workspace and remove this key',
      },
    );
  }
  const role = fields.optional('role');
  const schemaId = fields.optional('schema_id');
  const schemaModule = fields.optional('schema_module_path');
  if (schemaId && schemaModule) {
    fields.error('workspace_schema_field_conflict', [], "use only one of 'schema_id' or 'schema_module_path'", {
      legacyHint: 'remove one schema field from this member',
    });
  }
  fields.checkPath('schema_module_path', schemaModule);
  if (!isAlias(scope, schemaId)) fields.checkPath('schema_id', schemaId);
  if (id === '__proto__') fields.warnId(id);
  if (!id || !model) return undefined;
  return {
    id,
    model,
    prompt: promptOf(scope, id),
    config_path: origin,
    role: role ?? null,
    schema_id: schemaId ?? null,
    schema_module_path: schemaModule ?? null,
  };
}

/** A schema id that is not an alias is itself the path of the schema. */
function isAlias(scope: Scope, id: string | undefined): boolean {
  const registry = ownProperty(scope.root, 'schema_registry');
  const aliases = isMapping(registry) ? ownProperty(registry, 'aliases') : undefined;
  return id !== undefined && isMapping(aliases) && Object.hasOwn(aliases, id);
}

function promptOf(scope: Scope, id: string): string {
  const shared = ownProperty(scope.references, PROMPT_FILE);
  const prompt = typeof shared === 'string' ? shared : '';
  const instructions = ownProperty(scope.instructions ?? {}, id);
  if (typeof instructions !== 'string' || instructions.trim() === '') return prompt;
  return prompt.trim() === '' ? instructions : `${prompt.trimEnd()}\n\n${instructions}`;
}

class MemberFields {
  readonly #scope: Scope;
  readonly #agent: Mapping;
  readonly #path: Path;

  constructor(scope: Scope, agent: Mapping, path: Path) {
    this.#scope = scope;
    this.#agent = agent;
    this.#path = path;
  }

  required(field: string): string | undefined {
    return this.#text(field, `expected non-empty string field '${field}'`);
  }

  optional(field: string): string | undefined {
    const value = ownProperty(this.#agent, field);
    if (value === undefined || value === null) return undefined;
    return this.#text(field, `expected non-empty string field '${field}' when provided`);
  }

  #text(field: string, message: string): string | undefined {
    const value = ownProperty(this.#agent, field);
    const found = text(value);
    if (found === undefined) {
      const specificHint =
        typeof value === 'string' ? 'the text is blank' : `found ${kindOf(value)}; write text, in quotes if necessary`;
      this.error('workspace_agent_field_invalid', [field], message, { specificHint });
    }
    return found;
  }

  error(
    code: DiagnosticCode,
    field: Path,
    message: string,
    more: { legacyHint?: string; specificHint?: string } = {},
  ): void {
    this.#scope.report.error({
      code,
      at: [...this.#path, ...field],
      pointsAtKey: field.length === 0 || field[0] === 'prompt',
      message,
      ...more,
    });
  }

  /**
   * The legacy system accepts such a path. It is an error only in an inventory, which the legacy system does not have.
   */
  checkPath(field: string, path: string | undefined): void {
    const problem = path === undefined ? undefined : pathProblem(path);
    if (problem === undefined) return;
    const { report, instructions } = this.#scope;
    const finding = {
      code: 'workspace_path_escapes',
      at: [...this.#path, field],
      hasLegacyAlias: false,
      message: `invalid output schema path '${path}': it ${problem}`,
    } as const;
    if (instructions) report.strictError(finding);
    else report.warn(finding);
  }

  /** Reports a model that the installation cannot call. */
  checkModel(model: string): void {
    const problem = this.#scope.observed.modelProblem?.(model);
    if (problem === undefined) return;
    const { message, hint } = problem;
    this.#scope.report.strictError({
      code: 'model_provider_unconfigured',
      at: [...this.#path, 'model'],
      message,
      specificHint: hint,
    });
  }

  warnId(id: string): void {
    this.#scope.report.warn({
      code: 'workspace_field_invalid',
      at: [...this.#path, 'id'],
      message: `'${id}' is a reserved JavaScript property name; use another id`,
    });
  }
}
