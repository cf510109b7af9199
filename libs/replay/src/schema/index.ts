/** Validates values against JSON Schemas without compiling code, so it also works in sandboxes. */
import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { isObject, type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';

/** Keywords that only report a problem at a deeper place, which is reported as well. */
const OUTER: ReadonlySet<string> = new Set(
  'properties additionalProperties patternProperties items prefixItems $ref allOf if'.split(' '),
);
const MAX_PROBLEMS = 20;
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
    return (reported.length > 0 ? reported : errors)
      .slice(0, MAX_PROBLEMS)
      .map((error) => problemOf(error, what, schema));
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

function problemOf(unit: OutputUnit, what: string, schema: JsonObject): Problem {
  const path = `${what}${decodeURIComponent(unit.instanceLocation.slice(1))}`;
  const text = unit.keyword === 'false' ? 'it is not allowed.' : `${unit.error}${patternOf(unit, schema)}`;
  return { code: 'request_invalid', message: `${path}: ${text}`, path };
}

/** The pattern that a text does not match. The validator does not name it. */
function patternOf({ keyword, keywordLocation }: OutputUnit, schema: JsonObject): string {
  if (keyword !== 'pattern') return '';
  const pattern = valueAt(schema, keywordLocation);
  return typeof pattern === 'string' ? ` The pattern is ${pattern}` : '';
}

/** The value at a pointer. References within the schema are followed once per step. */
function valueAt(schema: JsonObject, pointer: string): JsonValue | undefined {
  let found: JsonValue | undefined = schema;
  for (const name of pointer.replace(/^#\/?/, '').split('/').filter(Boolean).map(unescaped)) {
    found = isObject(found) ? found[name] : undefined;
    if (name === '$ref' && typeof found === 'string' && found.startsWith('#/')) found = stepsTo(schema, found);
  }
  return found;
}

const stepsTo = (schema: JsonObject, pointer: string): JsonValue | undefined =>
  pointer
    .slice(2)
    .split('/')
    .map(unescaped)
    .reduce<JsonValue | undefined>((at, name) => (isObject(at) ? at[name] : undefined), schema);

/** A name in a JSON pointer. */
const unescaped = (name: string): string => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
