import type { JsonValue } from '@reins/contracts';
import { misuse } from '../errors.ts';

/**
 * A value as JSON will carry it, sharing nothing with the original: what a process does to its values later never reaches the
 * journal. Objects that know how to be JSON (dates) are asked; members without a value are left out.
 * @throws ReinsError `process_invalid` for what JSON cannot carry
 */
export function jsonCopy(value: unknown, at = 'value'): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'undefined':
      return null;
    case 'object':
      if (value === null) return null;
      return Array.isArray(value) ? value.map((item, i) => jsonCopy(item, `${at}[${i}]`)) : objectCopy(value, at);
    default:
      throw misuse(`${at} is a ${typeof value}, which JSON cannot carry`);
  }
}

function objectCopy(value: object, at: string): JsonValue {
  if ('toJSON' in value && typeof value.toJSON === 'function') return jsonCopy(value.toJSON(), at);
  const copy: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    const plain = jsonCopy(member, at);
    if (name === '__proto__')
      Object.defineProperty(copy, name, { value: plain, enumerable: true, writable: true, configurable: true });
    else copy[name] = plain;
  }
  return copy;
}
