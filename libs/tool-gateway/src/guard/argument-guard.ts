import type { JsonObject } from '@reins/contracts';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';

const MAX_PROBLEMS = 10;
const OLDER_DRAFT = /draft-0[67]/;
/** The schema is a stranger's: its expressions are not run here, where one that never ends would stop every run. */
const NO_EXPRESSIONS = Object.assign(() => ({ test: () => true }), { code: 'undefined' });
const OPTIONS = {
  strict: false,
  validateFormats: false,
  allErrors: false,
  logger: false,
  addUsedSchema: false,
  code: { regExp: NO_EXPRESSIONS },
} as const;

/** Holds the arguments of calls against the schemas that the servers declare, each compiled when it is first needed. */
export class ArgumentGuard {
  readonly #known = new Map<string, Promise<ValidateFunction | undefined>>();
  #newer: Promise<Ajv> | undefined;
  #older: Promise<Ajv> | undefined;

  /** What is wrong with the arguments of a call; empty when they fit, or when the schema cannot be used here. */
  async problems(toolId: string, schema: JsonObject, args: JsonObject): Promise<readonly string[]> {
    const known = this.#known.get(toolId) ?? this.#compile(schema);
    this.#known.set(toolId, known);
    const validate = await known;
    if (!validate || validate(args)) return [];
    return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf);
  }

  /** Nothing for a schema that is none, or whose meaning is in its expressions: then the server's own check is the only one. */
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
  return `${at} ${message ?? 'are wrong'}${detail}${extra}`;
}
