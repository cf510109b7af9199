import { types } from 'node:util';

/**
 * Freezes everything that authored code can reach before any of it runs, so that no patch of a builtin changes our own
 * code or Node.js.
 *
 * A frozen prototype has a cost in JavaScript: an assignment to an object that inherits from it fails too (`error.name
 * = 'Mine'`). Members that programs commonly override in this way become accessors, whose setter defines the member on
 * the object itself.
 */

const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, preventExtensions } = Object;
const { ownKeys } = Reflect;

/** What is not frozen: objects that belong to the author, or that Node.js itself changes. */
export interface Exceptions {
  /** Objects that are neither frozen nor traversed. */
  readonly objects: ReadonlySet<object>;
  /** Objects with one member that stays writable; all other members are fixed. */
  readonly writable: ReadonlyMap<object, string>;
}

/** The members that became accessors, by their getter. */
const overridable = new WeakMap<object, unknown>();

/** Freezes the values and everything reachable from them. @returns the number of frozen objects */
export function harden(roots: readonly unknown[], { objects, writable }: Exceptions): number {
  const seen = new Set<object>();
  const open: unknown[] = [...roots];
  while (open.length > 0) {
    const value = open.pop();
    if (!isReference(value) || seen.has(value) || objects.has(value)) continue;
    seen.add(value);
    open.push(getPrototypeOf(value));
    for (const key of ownKeys(value)) {
      const { value: member, get, set } = getOwnPropertyDescriptor(value, key) ?? {};
      open.push(member, get, set, get && overridable.get(get));
    }
  }
  for (const value of seen) {
    const states = isPrototype(value) ? statesOf(value) : [];
    allowOverrides(value, states);
    // A member that cannot become an accessor stays as it is, because Node.js assigns it to objects.
    const fixed = states.filter((key) => getOwnPropertyDescriptor(value, key)?.writable === true);
    const kept = writable.get(value);
    fix(value, kept === undefined ? fixed : [...fixed, kept]);
  }
  return seen.size;
}

const isPrototype = (value: object): boolean => {
  const { value: named, get } = getOwnPropertyDescriptor(value, 'constructor') ?? {};
  const owner: unknown = named ?? get?.call(value);
  return typeof owner === 'function' && owner.prototype === value;
};

/** Members of a prototype that are not methods, for example default values. Node.js itself assigns to some of them. */
const statesOf = (prototype: object): PropertyKey[] =>
  ownKeys(prototype).filter((key) => typeof getOwnPropertyDescriptor(prototype, key)?.value !== 'function');

function fix(value: object, writable: readonly PropertyKey[]): void {
  if (ArrayBuffer.isView(value) || types.isModuleNamespaceObject(value)) return; // Views cannot be frozen, and module namespaces are fixed already.
  if (writable.length === 0) {
    freeze(value);
    return;
  }
  for (const key of ownKeys(value)) {
    const isData = 'value' in (getOwnPropertyDescriptor(value, key) ?? {});
    defineProperty(value, key, { configurable: false, ...(isData && !writable.includes(key) && { writable: false }) });
  }
  preventExtensions(value);
}

const isReference = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * Allows objects that inherit from this prototype to override these members by assignment. Default: all its members.
 */
export function allowOverrides(prototype: object, names: readonly PropertyKey[] = ownKeys(prototype)): void {
  for (const name of names) {
    const { value, writable, enumerable = false, configurable } = getOwnPropertyDescriptor(prototype, name) ?? {};
    if (writable !== true || configurable !== true) continue;
    const accessor = {
      get: () => value,
      set(this: unknown, replacement: unknown) {
        if (this === prototype)
          throw new TypeError(`Cannot assign to read only property '${String(name)}' of a builtin`);
        defineProperty(this as object, name, {
          value: replacement,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      },
    };
    overridable.set(accessor.get, value);
    freeze(accessor.get);
    freeze(accessor.set);
    defineProperty(prototype, name, { get: accessor.get, set: accessor.set, enumerable, configurable: true });
  }
}
