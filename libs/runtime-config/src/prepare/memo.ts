import type { CompiledWorkspaceRuntimePlan } from '../plan.ts';

/**
 * Memoizes a function of a plan and other arguments. Entries live as long as their plan; a plan keeps at most `limit`
 * of them.
 */
export function memoizePerPlan<A, T>(
  keyOf: (args: A) => string,
  make: (plan: CompiledWorkspaceRuntimePlan, args: A) => T,
  limit = 16,
): (plan: CompiledWorkspaceRuntimePlan, args: A) => T {
  const plans = new WeakMap<CompiledWorkspaceRuntimePlan, Map<string, T>>();
  return (plan, args) => {
    const entries = plans.get(plan) ?? new Map<string, T>();
    plans.set(plan, entries);
    const key = keyOf(args);
    const known = entries.get(key);
    if (known !== undefined) return known;
    const created = make(plan, args);
    if (entries.size >= limit) entries.clear();
    entries.set(key, created);
    return created;
  };
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/** A unique number for an object, for use in cache keys. */
export function identityOf(object: object | undefined): number {
  if (object === undefined) return 0;
  const known = identities.get(object);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(object, lastIdentity);
  return lastIdentity;
}
