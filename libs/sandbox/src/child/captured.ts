/**
 * Builtin functions, captured before authored code runs. The loader, the sandbox and the transport use only these.
 * Builtins are also frozen; this is a second line of defence.
 */

const { bind, call } = Function.prototype;

/** Turns a method into a function of its object: `uncurried(method)(object, ...args)`. */
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

/** A frozen object without a prototype: looking up an unknown name returns `undefined`. */
export function tableOf<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T | undefined>> {
  const table = create(null) as Record<string, T>;
  for (const name of keys(entries)) table[name] = entries[name] as T;
  return freeze(table);
}
