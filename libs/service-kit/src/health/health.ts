/** One thing that must be well for the service to take work. */
export interface ReadinessCheck {
  readonly name: string;
  /** Undefined = well; otherwise why not, in plain words. */
  readonly reason: () => string | undefined;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ready: boolean; readonly reason?: string }[];
}

/** What `/readyz` answers from. Services add their checks at boot; a check only looks at state, it never waits. */
export class Health {
  readonly #checks: ReadinessCheck[] = [];
  #draining = false;

  add(check: ReadinessCheck): void {
    this.#checks.push(check);
  }

  /** From now on not ready: the service takes no new work and finishes what it has. */
  drain(): void {
    this.#draining = true;
  }

  readiness(): Readiness {
    const own = this.#checks.map(({ name, reason }) => ({ name, why: reason() }));
    const all = this.#draining ? [...own, { name: 'draining', why: 'the service is shutting down' }] : own;
    const checks = all.map(({ name, why }) => ({
      name,
      ready: why === undefined,
      ...(why !== undefined && { reason: why }),
    }));
    return { ready: checks.every((check) => check.ready), checks };
  }
}
