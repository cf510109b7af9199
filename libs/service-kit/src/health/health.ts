import { defined } from '@reins/contracts';
/** A condition for the service to accept work. */
export interface ReadinessCheck {
  readonly name: string;
  /** Returns undefined when ready, otherwise the reason. */
  readonly reason: () => string | undefined;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ready: boolean; readonly reason?: string }[];
}

/** The state behind `/readyz`. Services add their checks at startup. A check only reads state and never waits. */
export class Health {
  readonly #checks: ReadinessCheck[] = [];
  #draining = false;

  add(check: ReadinessCheck): void {
    this.#checks.push(check);
  }

  /** Marks the service as not ready: it accepts no new work and finishes running work. */
  drain(): void {
    this.#draining = true;
  }

  readiness(): Readiness {
    const own = this.#checks.map(({ name, reason: check }) => ({ name, reason: check() }));
    const all = this.#draining ? [...own, { name: 'draining', reason: 'the service is shutting down' }] : own;
    const checks = all.map(({ name, reason }) => ({
      name,
      ready: reason === undefined,
      ...defined({ reason }),
    }));
    return { ready: checks.every((check) => check.ready), checks };
  }
}
