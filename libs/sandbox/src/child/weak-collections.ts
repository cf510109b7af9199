import { inspect } from 'node:util';

/**
 * `WeakMap` and `WeakSet` whose entries cannot be listed. `util.inspect` shows the entries of the native classes, in an
 * order and number that depend on garbage collection.
 */

const [RealMap, RealSet] = [WeakMap, WeakSet];

class OpaqueWeakMap {
  readonly #entries = new RealMap<WeakKey, unknown>();

  constructor(entries?: Iterable<readonly [WeakKey, unknown]> | null) {
    for (const [key, value] of entries ?? []) this.set(key, value);
  }

  delete(key: WeakKey): boolean {
    return this.#entries.delete(key);
  }

  get(key: WeakKey): unknown {
    return this.#entries.get(key);
  }

  has(key: WeakKey): boolean {
    return this.#entries.has(key);
  }

  set(key: WeakKey, value: unknown): this {
    this.#entries.set(key, value);
    return this;
  }
}

class OpaqueWeakSet {
  readonly #members = new RealSet<WeakKey>();

  constructor(members?: Iterable<WeakKey> | null) {
    for (const member of members ?? []) this.add(member);
  }

  add(member: WeakKey): this {
    this.#members.add(member);
    return this;
  }

  delete(member: WeakKey): boolean {
    return this.#members.delete(member);
  }

  has(member: WeakKey): boolean {
    return this.#members.has(member);
  }
}

/** The classes by their global names. */
export const weakCollections: Readonly<Record<string, unknown>> = {
  WeakMap: named(OpaqueWeakMap, 'WeakMap'),
  WeakSet: named(OpaqueWeakSet, 'WeakSet'),
};

function named(type: typeof OpaqueWeakMap | typeof OpaqueWeakSet, name: string): unknown {
  Object.defineProperty(type, 'name', { value: name });
  Object.defineProperties(type.prototype, {
    [Symbol.toStringTag]: { value: name, configurable: true },
    [inspect.custom]: { value: () => `${name} { <items unknown> }`, configurable: true },
  });
  return type;
}

/**
 * Authored code may get a native collection through an object of Node.js. Hides its class, so that it cannot be used.
 */
export function hideRealCollections(): void {
  for (const [real, name] of [
    [RealMap, 'WeakMap'],
    [RealSet, 'WeakSet'],
  ] as const)
    Object.defineProperty(real.prototype, 'constructor', { value: weakCollections[name] });
}
