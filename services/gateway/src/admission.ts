import { ReinsError } from '@reins/contracts';

export interface AdmissionOptions {
  /** Requests that may be open at once. */
  readonly maxOpen: number;
  /** Undefined = the bus takes work; otherwise why not. */
  readonly unavailable: () => string | undefined;
}

/**
 * Bounds the work that is under way: the requests that this process accepted or saw begin, and has not seen end. What was open before the
 * process started, or before it had to begin reading anew, is not counted.
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

  /** @throws ReinsError `service_unavailable`, `admission_limited` */
  admit(): void {
    const reason = this.#options.unavailable();
    if (reason !== undefined) {
      throw new ReinsError({
        code: 'service_unavailable',
        message: `no work is accepted now: ${reason}`,
        hint: 'try again',
      });
    }
    if (this.#open.size < this.#options.maxOpen) return;
    throw new ReinsError({
      code: 'admission_limited',
      message: `${this.#open.size} requests are open, and no more are admitted`,
      hint: 'try again when some have ended, or raise gateway.maxOpenRequests',
    });
  }

  /** What is open is not known any more: ends were missed. What was counted could stay so for ever, so nothing is. */
  forget(): void {
    this.#open.clear();
  }

  /** Whether it is known to be under way. */
  isOpen(requestId: string): boolean {
    return this.#open.has(requestId);
  }

  began(requestId: string): void {
    this.#open.add(requestId);
  }

  ended(requestId: string): void {
    this.#open.delete(requestId);
  }
}
