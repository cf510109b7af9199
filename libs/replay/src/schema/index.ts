/** Validates values against JSON Schemas without compiling code, so it also works in sandboxes. */
import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';

/** Keywords that only report a problem at a deeper place, which is reported as well. */
const OUTER: ReadonlySet<string> = new Set(
  'properties additionalProperties patternProperties items prefixItems $ref allOf if'.split(' '),
);
const MOST_PROBLEMS = 20;
/** The default for other and unknown values of `$schema` is 2020-12. */
const OLDER_DRAFTS: readonly (readonly [string, SchemaDraft])[] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
];

/**
 * Validates a value against its schema.
 * @param what the name of the value in the problems
 * @returns at most 20 problems, including an invalid schema
 */
export function schemaProblems(schema: JsonObject, value: JsonValue, what: string): Problem[] {
  try {
    const { valid, errors } = new Validator(schema as Schema, draftOf(schema), false).validate(value);
    if (valid) return [];
    const reported = errors.filter(({ keyword }) => !OUTER.has(keyword));
    return (reported.length > 0 ? reported : errors).slice(0, MOST_PROBLEMS).map((error) => problemOf(error, what));
  } catch (error) {
    const message = `the schema of ${what} is invalid: ${(error as Error).message.split('\n')[0]}`;
    return [{ code: 'request_invalid', message, path: what }];
  }
}

/** @throws ReinsError `request_invalid` with every problem */
export function assertSchema(schema: JsonObject, value: JsonValue, what: string): void {
  const problems = schemaProblems(schema, value, what);
  if (problems.length > 0) throw new ReinsError(problems);
}

const draftOf = ({ $schema }: JsonObject): SchemaDraft =>
  OLDER_DRAFTS.find(([name]) => String($schema).includes(name))?.[1] ?? '2020-12';

function problemOf({ instanceLocation, keyword, error }: OutputUnit, what: string): Problem {
  const path = `${what}${decodeURIComponent(instanceLocation.slice(1))}`;
  return { code: 'request_invalid', message: `${path}: ${keyword === 'false' ? 'it is not allowed.' : error}`, path };
}
