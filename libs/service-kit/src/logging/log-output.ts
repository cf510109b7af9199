import { pino } from 'pino';

/** Standard output, and whoever listens beside it. */
export class LogOutput {
  readonly #out = pino.destination({ dest: 1, sync: true });
  /** Is given every line, too. */
  tap: ((line: string) => void) | undefined;

  write(line: string): void {
    this.#out.write(line);
    this.tap?.(line);
  }
}
