import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';

/** Deeper values become text. Cedar reads values recursively. */
const MAX_DEPTH = 32;
/** Cedar reads an object with such a key as an entity or as a call of an extension function. */
const ESCAPES = ['__entity', '__extn', '__expr'];
/** The values of a Cedar decimal: up to four decimal places, and an integer part that is safe here. */
const DECIMAL = /^-?\d{1,14}(\.\d{1,4})?$/;

/**
 * A value of JSON as a value of Cedar. Members that are null are omitted. Integers are Longs. Other numbers are decimals,
 * and so is an integer for which the schema says `number`. What Cedar cannot represent is text, so a condition that
 * expects another type fails, and the call is denied.
 */
export function cedarValue(value: Exclude<JsonValue, null>, schema?: JsonValue, depth = 0): CedarValueJson {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return numberOf(value, isObject(schema) && schema.type === 'number');
  if (depth >= MAX_DEPTH) return JSON.stringify(value).toWellFormed();
  if (Array.isArray(value)) {
    const items = isObject(schema) ? schema.items : undefined;
    return value.flatMap((item) => (item === null ? [] : [cedarValue(item, items, depth + 1)]));
  }
  return cedarRecord(value as JsonObject, schema, depth);
}

function cedarRecord(value: JsonObject, schema: JsonValue | undefined, depth: number): CedarValueJson {
  if (ESCAPES.some((key) => Object.hasOwn(value, key))) return JSON.stringify(value).toWellFormed();
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (member === null || member === undefined) return [];
      const of = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return [[key.toWellFormed(), cedarValue(member, of, depth + 1)] as const];
    }),
  );
}

function numberOf(value: number, isDecimal: boolean): CedarValueJson {
  if (Number.isSafeInteger(value) && !isDecimal) return Object.is(value, -0) ? 0 : value;
  const text = String(value);
  if (!DECIMAL.test(text)) return text;
  return { __extn: { fn: 'decimal', arg: text.includes('.') ? text : `${text}.0` } };
}
