import type { CompileError, Diagnostic } from './diagnostic.ts';

/** The maximum number of stored findings per severity. Further findings are only counted. */
const MAX_STORED = 200;

/**
 * Collects all findings. Errors of two kinds are kept apart: those that the legacy system reports too, and those that
 * only Reins reports (`stricter`). The first error of the former kind is the `error` of the result, so that a stricter
 * check never hides the code that a migrating user expects.
 */
export class Findings {
  readonly #stored: Diagnostic[] = [];
  readonly #files = new Map<string, number>();
  readonly #counts = { error: 0, warning: 0 };
  #first: CompileError | undefined;
  #firstStricter: CompileError | undefined;

  get failed(): boolean {
    return this.#counts.error > 0;
  }

  /** The number of findings per severity, including those that are not stored. */
  get counts(): { readonly error: number; readonly warning: number } {
    return this.#counts;
  }

  /** Ordered by file, then by position in the file. */
  get diagnostics(): readonly Diagnostic[] {
    const rank = (each: Diagnostic): number => this.#files.get(each.file) ?? 0;
    return [...this.#stored].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
  }

  /** The error that represents the result: the first legacy error, else the first stricter one. */
  get error(): CompileError | undefined {
    return this.#first ?? this.#firstStricter;
  }

  /** Whether another finding of this severity would be stored. Only then its position is worth computing. */
  hasRoomFor(severity: Diagnostic['severity']): boolean {
    return this.#counts[severity] < MAX_STORED;
  }

  /** Records the error as the error of the result if it is the first of its kind. */
  recordError(stricter: boolean, describe: () => CompileError): void {
    if (stricter) this.#firstStricter ??= describe();
    else this.#first ??= describe();
  }

  add(severity: Diagnostic['severity'], describe: () => Diagnostic): void {
    if (this.hasRoomFor(severity)) {
      const diagnostic = describe();
      if (!this.#files.has(diagnostic.file)) this.#files.set(diagnostic.file, this.#files.size);
      this.#stored.push(diagnostic);
    }
    this.#counts[severity] += 1;
  }
}
