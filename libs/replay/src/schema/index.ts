/** Whether values are what a JSON Schema says. Nothing is compiled, so it works where code must not come from texts: in sandboxes. */
import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';

/** They only say that something within is wrong; that is told, too. */
const OUTER: ReadonlySet<string> = new Set(
  'properties additionalProperties patternProperties items prefixItems $ref allOf if'.split(' '),
);
const MOST_PROBLEMS = 20;
/** Later than these: what is not said, and what is not known. */
const OLDER_DRAFTS: readonly (readonly [string, SchemaDraft])[] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
];

/**
 * What of a value is not as its schema says: every place, at most 20. A schema that is none is a problem, too.
 * @param what names the value in the problems
 */
export function schemaProblems(schema: JsonObject, value: JsonValue, what: string): Problem[] {
  try {
    const { valid, errors } = new Validator(schema as Schema, draftOf(schema), false).validate(value);
    if (valid) return [];
    const told = errors.filter(({ keyword }) => !OUTER.has(keyword));
    return (told.length > 0 ? told : errors).slice(0, MOST_PROBLEMS).map((error) => problemOf(error, what));
  } catch (error) {
    const message = `the schema of ${what} is none: ${(error as Error).message.split('\n')[0]}`;
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
