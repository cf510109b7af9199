import type { JsonObject } from '@reins/contracts';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';

const MAX_PROBLEMS = 10;
const OLDER_DRAFT = /draft-0[67]/;
/** Schemas are untrusted. Their regular expressions are not executed: backtracking could block every run. */
const NO_EXPRESSIONS = Object.assign(() => ({ test: () => true }), { code: 'undefined' });
const OPTIONS = {
  strict: false,
  validateFormats: false,
  allErrors: false,
  logger: false,
  addUsedSchema: false,
  code: { regExp: NO_EXPRESSIONS },
} as const;

/** Validates the arguments of calls against the schemas of the servers. Compiles each schema at its first use. */
export class ArgumentGuard {
  readonly #known = new Map<string, Promise<ValidateFunction | undefined>>();
  #newer: Promise<Ajv> | undefined;
  #older: Promise<Ajv> | undefined;

  /** Returns the problems of a call's arguments; empty when they are valid or the schema cannot be used here. */
  async problems(toolId: string, schema: JsonObject, args: JsonObject): Promise<readonly string[]> {
    const known = this.#known.get(toolId) ?? this.#compile(schema);
    this.#known.set(toolId, known);
    const validate = await known;
    if (!validate || validate(args)) return [];
    return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf);
  }

  /** Undefined for a schema that is invalid or depends on regular expressions. Then only the server validates. */
  async #compile(schema: JsonObject): Promise<ValidateFunction | undefined> {
    if (JSON.stringify(schema).includes('"patternProperties"')) return undefined;
    try {
      const ajv = await (OLDER_DRAFT.test(String(schema.$schema)) ? this.#forOlder() : this.#forNewer());
      return ajv.compile(schema);
    } catch {
      return undefined;
    }
  }

  #forNewer(): Promise<Ajv> {
    this.#newer ??= import('ajv/dist/2020.js').then(({ default: module }) => new module.default(OPTIONS));
    return this.#newer;
  }

  #forOlder(): Promise<Ajv> {
    this.#older ??= import('ajv').then(({ default: module }) => new module.default(OPTIONS));
    return this.#older;
  }
}

function problemOf({ instancePath, message, params }: ErrorObject): string {
  const at = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.');
  const detail = 'allowedValues' in params ? `: ${JSON.stringify(params.allowedValues)}` : '';
  const extra = 'additionalProperty' in params ? `: ${String(params.additionalProperty)}` : '';
  return `${at} ${message ?? 'are invalid'}${detail}${extra}`;
}
