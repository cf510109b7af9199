import { type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import type { ErrorObject, ValidateFunction } from 'ajv';

const MAX_PROBLEMS = 10;
const OPTIONS = { strict: false, validateFormats: false, allErrors: true, logger: false } as const;
const OLDER_DRAFT = /draft-0[67]/;

/**
 * Compiles an output schema. Loads Ajv only when it is needed: most executions have no output schema, and Ajv is half
 * of what a process loads.
 * @throws ReinsError `harness_unsupported` when the schema is invalid
 */
export async function compileSchema(schema: JsonObject): Promise<ValidateFunction> {
  const older = OLDER_DRAFT.test(String(schema.$schema));
  const { default: Ajv } = older ? await import('ajv') : await import('ajv/dist/2020.js');
  try {
    return new Ajv.default(OPTIONS).compile(schema);
  } catch (cause) {
    const message = `the output schema is invalid: ${(cause as Error).message}`;
    throw new ReinsError({ code: 'harness_unsupported', message, path: 'outputSchema' }, { cause });
  }
}

/** Why a value does not match a schema. Empty: it does. */
export function problemsOf(validate: ValidateFunction, value: JsonValue): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf);
}

function problemOf({ instancePath, message, params }: ErrorObject): string {
  const at = instancePath === '' ? 'the value' : instancePath;
  const detail = 'allowedValues' in params ? `: ${JSON.stringify(params.allowedValues)}` : '';
  return `${at} ${message ?? 'is invalid'}${detail}`;
}
