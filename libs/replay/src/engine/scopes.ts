import { AsyncLocalStorage } from 'node:async_hooks';

/** A part of a process that can be cancelled as a whole, or is shielded from cancellation. */
export interface Scope {
  readonly parent?: Scope;
  /** Cancellations of outer scopes do not apply. */
  readonly shielded: boolean;
  cancelledBecause?: string;
}

/** The scope of the running code. It follows every await. */
export const currentScope = new AsyncLocalStorage<Scope>();

/** Why this scope is cancelled; undefined when it is not. */
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
