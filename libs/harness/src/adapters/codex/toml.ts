import type { JsonObject, JsonValue } from '@reins/contracts';

/** A value in TOML. Objects become inline tables. */
export function tomlValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${tomlText(key)} = ${tomlValue(member as JsonValue)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' ? tomlText(value) : String(value);
}

/** A document with one line for each member. */
export const tomlDocument = (members: JsonObject): string =>
  Object.entries(members)
    .map(([key, value]) => `${tomlText(key)} = ${tomlValue(value as JsonValue)}\n`)
    .join('');

/** JSON leaves the character DEL as it is, which TOML forbids. */
const tomlText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');
