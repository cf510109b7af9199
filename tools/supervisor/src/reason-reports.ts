/** A service that is not ready is reported after this time, and again after the same time if its reason changed. */
const REPORT_EVERY_MS = 5_000;

/** Decides which reasons of services that are not ready are reported during a start. */
export class ReasonReports {
  readonly #report: (reason: string) => void;
  readonly #last = new Map<string, { readonly reason: string; readonly atMs: number }>();

  constructor(report: (reason: string) => void) {
    this.#report = report;
  }

  /** @param atMs the time since the start */
  add(url: string, reason: string, atMs: number): void {
    const last = this.#last.get(url);
    if (reason === last?.reason || atMs - (last?.atMs ?? 0) < REPORT_EVERY_MS) return;
    this.#last.set(url, { reason, atMs });
    this.#report(reason);
  }
}
