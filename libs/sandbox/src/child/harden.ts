import { types } from 'node:util';

/**
 * Freezes whatever authored code can reach, before any of it runs: no patch of a builtin changes what our own code or Node.js does.
 *
 * A frozen prototype has one cost in JavaScript: an assignment to an object that inherits from it fails too (`error.name = 'Mine'`).
 * The members that programs do override in this way become accessors, whose setter defines the member on the object itself.
 */

const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, preventExtensions } = Object;
const { ownKeys } = Reflect;

/** What is not frozen: objects that belong to the author, or that Node.js itself changes. */
export interface Exceptions {
  /** Neither frozen nor walked through. */
  readonly objects: ReadonlySet<object>;
  /** Objects with one member that stays writable; all others are fixed. */
  readonly writable: ReadonlyMap<object, string>;
}

/** Freezes the values and everything that they lead to. @returns how many objects */
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
      open.push(member, get, set);
    }
  }
  for (const value of seen) {
    const states = isPrototype(value) ? statesOf(value) : [];
    allowOverrides(value, states);
    // A member that cannot become an accessor stays as it is, for Node.js assigns it to objects.
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

/** Members of a prototype other than methods: defaults of its objects. Node.js itself assigns to some of them. */
const statesOf = (prototype: object): PropertyKey[] =>
  ownKeys(prototype).filter((key) => typeof getOwnPropertyDescriptor(prototype, key)?.value !== 'function');

function fix(value: object, writable: readonly PropertyKey[]): void {
  if (ArrayBuffer.isView(value) || types.isModuleNamespaceObject(value)) return; // The former cannot be, the latter is fixed already.
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

/** Lets objects that inherit from this prototype have members of these names, by assignment. Default: all names that it has. */
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
    freeze(accessor.get);
    freeze(accessor.set);
    defineProperty(prototype, name, { get: accessor.get, set: accessor.set, enumerable, configurable: true });
  }
}
