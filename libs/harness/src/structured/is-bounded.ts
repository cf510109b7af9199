import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';

/**
 * Keywords with which a small schema can take any time: regular expressions, references that double with each level,
 * and the comparison of all items with each other.
 */
const UNBOUNDED = new Set([
  ...['pattern', 'patternProperties', 'uniqueItems'],
  ...['$ref', '$dynamicRef', '$recursiveRef'],
]);
/** Ajv compiles a schema of this size in milliseconds. */
const MAX_VALUES = 1000;

/**
 * Whether validation against a schema takes time in proportion to the value. A property with the name of a keyword
 * counts as the keyword.
 */
export function isBounded(schema: JsonObject): boolean {
  const open: JsonValue[] = [schema];
  let seen = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    seen += 1;
    if (seen > MAX_VALUES) return false;
    if (Array.isArray(value)) {
      if (value.length > MAX_VALUES) return false;
      open.push(...value);
    } else if (isObject(value)) {
      const names = Object.keys(value);
      if (names.length > MAX_VALUES || names.some((name) => UNBOUNDED.has(name))) return false;
      for (const each of Object.values(value)) if (each !== undefined) open.push(each as JsonValue);
    }
  }
  return true;
}
