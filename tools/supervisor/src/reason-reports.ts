/** A service that is not ready is reported after this time. */
const FIRST_MS = 2_000;
/** A reason that changed is reported again after this time. A reason that lasts is repeated after growing times. */
const REPORT_EVERY_MS = 5_000;
const LONGEST_MS = 60_000;

interface Reported {
  readonly reason: string;
  readonly atMs: number;
  /** The time until the reason is repeated, if it lasts. */
  readonly repeatMs: number;
}

/** Decides which reasons of services that are not ready are reported during a start. */
export class ReasonReports {
  readonly #report: (reason: string, atMs: number) => void;
  readonly #last = new Map<string, Reported>();

  constructor(report: (reason: string, atMs: number) => void) {
    this.#report = report;
  }

  /** @param atMs the time since the start */
  add(url: string, reason: string, atMs: number): void {
    const last = this.#last.get(url);
    const isLasting = reason === last?.reason;
    const due = last ? last.atMs + (isLasting ? last.repeatMs : REPORT_EVERY_MS) : FIRST_MS;
    if (atMs < due) return;
    const repeatMs = last && isLasting ? Math.min(2 * last.repeatMs, LONGEST_MS) : REPORT_EVERY_MS;
    this.#last.set(url, { reason, atMs, repeatMs });
    this.#report(reason, atMs);
  }
}
