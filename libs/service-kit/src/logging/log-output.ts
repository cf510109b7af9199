import { pino } from 'pino';

/** Writes log lines to standard output, and to an optional second receiver. */
export class LogOutput {
  readonly #out = pino.destination({ dest: 1, sync: true });
  /** Receives every line as well. */
  tap: ((line: string) => void) | undefined;

  write(line: string): void {
    this.#out.write(line);
    this.tap?.(line);
  }
}
