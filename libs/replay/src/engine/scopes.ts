import { AsyncLocalStorage } from 'node:async_hooks';

/** A part of a process that can be cancelled as a whole, or that a cancellation of the run leaves alone. */
export interface Scope {
  readonly parent?: Scope;
  /** Cancellations of what surrounds it do not reach in. */
  readonly shielded: boolean;
  cancelledBecause?: string;
}

/** The scope that the code which runs now stands in: it follows every await. */
export const currentScope = new AsyncLocalStorage<Scope>();

/** Why nothing in this scope goes on any more; undefined when it does. */
export function cancellationOf(scope: Scope): string | undefined {
  for (let at: Scope | undefined = scope; at; at = at.shielded ? undefined : at.parent) {
    if (at.cancelledBecause !== undefined) return at.cancelledBecause;
  }
  return undefined;
}

export function isWithin(scope: Scope | undefined, outer: Scope): boolean {
  for (let at = scope; at; at = at.parent) if (at === outer) return true;
  return false;
}
