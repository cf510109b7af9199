/**
 * Functions of the language as they are before authored code runs. The loader, the walls and the transport use these: that builtins are
 * frozen is one wall, and that these do not look at them is another.
 */

const { bind, call } = Function.prototype;

/** A method as a function of its object: `uncurried(method)(object, ...args)`. */
const uncurried = bind.bind(call) as unknown as <This, Args extends readonly unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
) => (self: This, ...args: Args) => Result;

export const { create, defineProperty, freeze, keys } = Object;
export const { parse: parseJson, stringify: stringifyJson } = JSON;
export const { isArray } = Array;
export const textOf = String;
export const MapOf = Map;
export const mapGet = uncurried(Map.prototype.get) as <K, V>(map: ReadonlyMap<K, V>, key: K) => V | undefined;
export const mapSet = uncurried(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => unknown;
export const mapDelete = uncurried(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const startsWith = uncurried(String.prototype.startsWith) as (text: string, start: string) => boolean;
export const replaceText = uncurried(String.prototype.replace) as unknown as (
  text: string,
  part: RegExp | string,
  by: string,
) => string;
export const matches = uncurried(RegExp.prototype.test) as (pattern: RegExp, text: string) => boolean;

/** A table that inherits nothing and never changes: a name is in it, or `undefined`. */
export function tableOf<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T | undefined>> {
  const table = create(null) as Record<string, T>;
  for (const name of keys(entries)) table[name] = entries[name] as T;
  return freeze(table);
}
