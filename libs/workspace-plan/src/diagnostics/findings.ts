import type { CompileError, Diagnostic } from './diagnostic.ts';

/** More than anybody reads; the rest is counted. */
const MAX_KEPT = 200;

/**
 * Everything that was found. Two kinds of errors are kept apart: those on which every installation agrees, and those that
 * only we refuse (`stricter`). The first of the former is *the* error of a refusal, so that a stricter check never hides the
 * code that a migrating user expects.
 */
export class Findings {
  readonly #kept: Diagnostic[] = [];
  readonly #files = new Map<string, number>();
  readonly #counts = { error: 0, warning: 0 };
  #first: CompileError | undefined;
  #firstStricter: CompileError | undefined;

  get failed(): boolean {
    return this.#counts.error > 0;
  }

  /** How many were found of each severity; only the first of them are kept. */
  get counts(): { readonly error: number; readonly warning: number } {
    return this.#counts;
  }

  /** In the order of the files, and in each of the text. */
  get diagnostics(): readonly Diagnostic[] {
    const rank = (each: Diagnostic): number => this.#files.get(each.file) ?? 0;
    return [...this.#kept].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
  }

  /** The error that stands for all of them, in the terms of the interface. */
  get error(): CompileError | undefined {
    return this.#first ?? this.#firstStricter;
  }

  /** Whether another finding of this severity would be kept: then it is worth locating. */
  hasRoomFor(severity: Diagnostic['severity']): boolean {
    return this.#counts[severity] < MAX_KEPT;
  }

  /** Counts an error, and takes it for the error of the refusal when it is the first. */
  refuse(stricter: boolean, describe: () => CompileError): void {
    if (stricter) this.#firstStricter ??= describe();
    else this.#first ??= describe();
  }

  keep(severity: Diagnostic['severity'], describe: () => Diagnostic): void {
    if (this.hasRoomFor(severity)) {
      const diagnostic = describe();
      if (!this.#files.has(diagnostic.file)) this.#files.set(diagnostic.file, this.#files.size);
      this.#kept.push(diagnostic);
    }
    this.#counts[severity] += 1;
  }
}
