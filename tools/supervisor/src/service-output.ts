import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fatalProblemIn, type Problem } from '@reins/contracts';
import { followLines } from '@reins/embedded';

const LAST_LINES = 8;
/** A descendant of the process may keep the output open. Its lines are not waited for. */
const END_DEADLINE_MS = 1_000;

/** The output of a service process: the problems that ended it, and its last lines. */
export class ServiceOutput {
  readonly #problems: Problem[] = [];
  readonly #lastLines: string[] = [];
  readonly #errors: string[] = [];
  readonly #ended: Promise<unknown>;

  /** @param onLine receives every line */
  constructor(streams: readonly Readable[], onLine: (line: string) => void) {
    const follow = (line: string): void => {
      this.#add(line);
      onLine(line);
    };
    this.#ended = Promise.all(streams.map((stream) => followLines(stream, follow)));
  }

  /** The problems that the process reported because it could not continue, the first one first. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** The last errors, or the last lines if there are none. */
  get tail(): readonly string[] {
    return this.#errors.length > 0 ? this.#errors : this.#lastLines;
  }

  /** Resolves when all output of an ended process was read. */
  async ended(): Promise<void> {
    await Promise.race([this.#ended, delay(END_DEADLINE_MS, undefined, { ref: false })]);
  }

  #add(line: string): void {
    const problem = fatalProblemIn(line);
    if (problem) this.#problems.push(problem);
    keepLast(this.#lastLines, line);
    const error = errorIn(line);
    if (error !== undefined) keepLast(this.#errors, error);
  }
}

function keepLast(lines: string[], line: string): void {
  if (lines.push(line) > LAST_LINES) lines.shift();
}

/** The error message in a log line; undefined for other lines. */
function errorIn(line: string): string | undefined {
  if (!line.includes('"level":"error"')) return undefined;
  try {
    const { msg, hint } = JSON.parse(line) as { msg?: string; hint?: string };
    return hint ? `${msg} (${hint})` : msg;
  } catch {
    return line;
  }
}
