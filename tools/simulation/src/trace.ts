/** A log of what happened, in order. It records nothing unless it is enabled. */
export class Trace {
  readonly lines: string[] = [];
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #isOn: boolean;

  constructor(now: () => number, isOn: boolean) {
    this.#now = now;
    this.#startedAt = now();
    this.#isOn = isOn;
  }

  line(who: string, what: () => string): void {
    if (!this.#isOn) return;
    const at = ((this.#now() - this.#startedAt) / 1_000).toFixed(4).padStart(12);
    this.lines.push(`${at}  ${who.padEnd(8)} ${what()}`);
  }
}
