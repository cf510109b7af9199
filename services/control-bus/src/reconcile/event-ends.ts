/** An end of the event log, and the last commit of the partition at a time when the log ended there. */
interface EventEnd {
  readonly commit: number;
  readonly seq: number;
}

/** Ends of the event log that were seen while a partition was owned. They show where the facts of later commits begin. */
export class EventEnds {
  #ends: readonly EventEnd[] = [];

  /** @param commit the last commit of the partition, after the end was read */
  add(end: EventEnd): void {
    this.#ends = [...this.#ends, end];
  }

  /**
   * A sequence after which the event log has all facts of the commits after this one. Later calls must be for later
   * commits.
   * @returns undefined when every known end may be behind some of them
   */
  before(commit: number): number | undefined {
    const at = this.#ends.findLastIndex((end) => end.commit <= commit);
    // Earlier ends are not needed any more.
    if (at > 0) this.#ends = this.#ends.slice(at);
    return at < 0 ? undefined : this.#ends[0]?.seq;
  }
}
