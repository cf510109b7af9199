import type { ErrorCode } from '@reins/contracts';
import type { YamlDocument } from '../yaml/document.ts';
import type { SourceText } from '../yaml/source-text.ts';
import type { PathSegment } from '../yaml/trace-path.ts';
import { aliasOf } from './codes.ts';
import type { CompileError, Diagnostic, Severity } from './diagnostic.ts';
import { formatPath } from './path.ts';
import { maskedLine } from './source-line.ts';

/** Where a finding stands. `path` is the way through the document; `shown` what is told, where that differs. */
export interface At {
  readonly path: readonly PathSegment[];
  readonly shown?: string;
  /** Point at the key instead of its value. */
  readonly key?: boolean;
}

export interface Note {
  readonly code: ErrorCode;
  readonly at: At;
  readonly message: string;
  readonly hint?: string | null;
}

/**
 * Everything that was found, in the order of the checks. Two kinds of errors are kept apart: those on which every
 * installation agrees, and those that only we refuse (`stricter`). The first of the former is *the* error of a refusal, so
 * that a stricter check never hides the code that a migrating user expects.
 */
export class Findings {
  readonly #all: Diagnostic[] = [];
  #first: Diagnostic | undefined;
  #firstStricter: Diagnostic | undefined;

  get failed(): boolean {
    return this.#first !== undefined || this.#firstStricter !== undefined;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#all;
  }

  /** The error that stands for all of them, in the terms of the interface. */
  get error(): CompileError | undefined {
    const first = this.#first ?? this.#firstStricter;
    if (!first) return undefined;
    return { code: first.alias ?? first.code, message: first.message, path: first.path, hint: first.hint };
  }

  add(diagnostic: Diagnostic, stricter: boolean): void {
    this.#all.push(diagnostic);
    if (diagnostic.severity !== 'error') return;
    if (stricter) this.#firstStricter ??= diagnostic;
    else this.#first ??= diagnostic;
  }
}

/** Findings in one file. */
export class FileReport {
  readonly file: string;
  readonly #findings: Findings;
  readonly #document: YamlDocument;

  constructor(findings: Findings, file: string, document: YamlDocument) {
    this.#findings = findings;
    this.file = file;
    this.#document = document;
  }

  /** An error that every installation reports. */
  error(note: Note): void {
    this.#add('error', note, false);
  }

  /** An error of ours alone: what was guessed or dropped silently before. */
  stricter(note: Note): void {
    this.#add('error', note, true);
  }

  warn(note: Note): void {
    this.#add('warning', note, false);
  }

  #add(severity: Severity, note: Note, stricter: boolean): void {
    const { path, key, shown } = note.at;
    const place = this.#document.placeOf(path, key ? 'key' : 'value');
    this.#findings.add(
      diagnostic(severity, note, {
        path: shown ?? formatPath(path),
        file: this.file,
        text: this.#document.text,
        place,
        secret: mayHoldSecret(path),
      }),
      stricter,
    );
  }
}

interface Where {
  readonly path: string;
  readonly file: string;
  readonly text: SourceText;
  readonly place: { readonly line: number; readonly column: number };
  readonly secret: boolean;
}

/** Builds a diagnostic; the alias follows from the code. */
export function diagnostic(severity: Severity, note: Omit<Note, 'at'>, where: Where): Diagnostic {
  const alias = aliasOf(note.code);
  return {
    severity,
    code: note.code,
    ...(alias && { alias }),
    path: where.path,
    message: note.message,
    hint: note.hint ?? null,
    file: where.file,
    line: where.place.line,
    column: where.place.column,
    source: maskedLine(where.text.line(where.place.line), where.secret),
  };
}

/** Values of headers and of environments are where people paste secrets. */
function mayHoldSecret(path: readonly PathSegment[]): boolean {
  return path.includes('headers') || path.includes('environment');
}
