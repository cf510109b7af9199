import { types } from 'node:util';
import type { JsonValue, ReinsError } from '@reins/contracts';
import { misuse } from '../errors.ts';

/**
 * Copies a value as JSON carries it, so that later changes by the process do not reach the journal. Calls `toJSON`
 * (dates), and leaves out methods and undefined members. Rejects values that JSON would change silently (NaN, a Map),
 * and those that it cannot carry.
 * @param what the name of the value in errors
 * @throws ReinsError `process_invalid`, with the place in the value
 */
export function jsonCopy(value: unknown, what = 'value'): JsonValue {
  return copyOf(value, { what, path: [], within: [] });
}

/** The current place in the value. */
interface Place {
  readonly what: string;
  readonly path: (string | number)[];
  readonly within: object[];
}

function copyOf(value: unknown, place: Place): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw refused(place, String(value));
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : objectCopy(value, place);
    default:
      throw refused(place, `a ${typeof value}`);
  }
}

function objectCopy(value: object, place: Place): JsonValue {
  const { within } = place;
  if (within.includes(value)) throw refused(place, 'an object that contains itself');
  within.push(value);
  const copy =
    'toJSON' in value && typeof value.toJSON === 'function' ? jsonFormOf(value.toJSON(), place) : parts(value, place);
  within.pop();
  return copy;
}

/** The result of `toJSON`, which is not called again. */
function jsonFormOf(value: unknown, place: Place): JsonValue {
  return typeof value === 'object' && value !== null ? parts(value, place) : copyOf(value, place);
}

function parts(value: object, place: Place): JsonValue {
  if (Array.isArray(value)) return itemsOf(value, place);
  if (types.isMap(value)) throw refused(place, 'a Map');
  if (types.isSet(value)) throw refused(place, 'a Set');
  const copy: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    const plain = partOf(name, member, place);
    if (name === '__proto__')
      Object.defineProperty(copy, name, { value: plain, enumerable: true, writable: true, configurable: true });
    else copy[name] = plain;
  }
  return copy;
}

function itemsOf(items: readonly unknown[], place: Place): JsonValue[] {
  const copy: JsonValue[] = [];
  for (let i = 0; i < items.length; i += 1) copy.push(partOf(i, items[i], place));
  return copy;
}

function partOf(name: string | number, value: unknown, place: Place): JsonValue {
  place.path.push(name);
  const copy = copyOf(value, place);
  place.path.pop();
  return copy;
}

function refused({ what, path }: Place, kind: string): ReinsError {
  const place = path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`)).join('');
  return misuse(`${what}${place} is ${kind}, which JSON cannot carry`);
}
