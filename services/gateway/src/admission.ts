import { ReinsError } from '@reins/contracts';

export interface AdmissionOptions {
  /** The most requests that may be open concurrently. */
  readonly maxOpen: number;
  /** Why the bus cannot accept work; undefined when it can. */
  readonly unavailable: () => string | undefined;
}

/**
 * Limits the number of open requests: those that this process accepted or saw start, and has not seen end. Requests from before the process
 * started, or before its last gap in the log, are not counted.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #open = new Set<string>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Checks that a new request may be accepted. @throws ReinsError `service_unavailable`, `admission_limited` */
  admit(): void {
    this.assertAvailable('requests');
    if (this.#open.size < this.#options.maxOpen) return;
    throw new ReinsError({
      code: 'admission_limited',
      message: `the limit of open requests is reached (${this.#open.size})`,
      hint: 'Try again when a request has ended, or raise gateway.maxOpenRequests.',
    });
  }

  /**
   * Checks that the bus can store what new requests need.
   * @param what is not accepted otherwise: `requests`
   * @throws ReinsError `service_unavailable`
   */
  assertAvailable(what: string): void {
    const reason = this.#options.unavailable();
    if (reason === undefined) return;
    throw new ReinsError({
      code: 'service_unavailable',
      message: `${what} are not accepted now: ${reason}`,
      hint: 'Retry after the time in Retry-After; `reins doctor` shows what is unavailable.',
    });
  }

  /** Forgets all open requests. Call it after missed events: a request whose end was missed would stay open for ever. */
  reset(): void {
    this.#open.clear();
  }

  /** Whether the request is known to be open. */
  isOpen(requestId: string): boolean {
    return this.#open.has(requestId);
  }

  opened(requestId: string): void {
    this.#open.add(requestId);
  }

  closed(requestId: string): void {
    this.#open.delete(requestId);
  }
}
