import type { Path } from '../compile/values.ts';
import type { SourceText, TextPosition } from '../yaml/source-text.ts';
import { aliasOf, DIAGNOSTIC_CODES, type DiagnosticCode } from './codes.ts';
import type { Severity } from './diagnostic.ts';
import type { Findings } from './findings.ts';
import type { Locator } from './locator.ts';
import { maskedLine } from './source-line.ts';

export type SpecificHint = string | undefined | (() => string | undefined);

/** A finding to report about a path. */
export interface Note {
  readonly code: DiagnosticCode;
  readonly at: Path;
  readonly message: string;
  /** False when the legacy system does not report this finding, although it has this code. */
  readonly hasLegacyAlias?: false;
  /** The hint of the legacy system, which becomes `error.hint`. */
  readonly legacyHint?: string | null;
  /**
   * A more specific hint than `legacyHint`. The diagnostic shows it, and so does `error.hint` of errors that only Reins
   * reports. A function is called only when the finding is stored. Without both hints, the diagnostic shows the remedy of
   * its code.
   */
  readonly specificHint?: SpecificHint;
  /** The path for messages, when it differs from the path in the file. */
  readonly displayPath?: string;
  /** Whether the position is that of the key instead of the value. */
  readonly key?: boolean;
}

/** Reports the findings of one file, or of one part of a workspace. */
export class Report {
  readonly findings: Findings;
  readonly #locator: Locator;

  constructor(findings: Findings, locator: Locator) {
    this.findings = findings;
    this.#locator = locator;
  }

  /** Reports an error that the legacy system reports too. */
  error(note: Note): void {
    this.#add('error', note, false);
  }

  /** Reports an error that only Reins reports. The legacy system guesses a value or ignores the mistake. */
  strictError(note: Note): void {
    this.#add('error', note, true);
  }

  warn(note: Note): void {
    this.#add('warning', note, true);
  }

  /** How the last key of the path is spelled in the file, if known. */
  spelling(path: Path): string | undefined {
    const { document, path: inFile } = this.#locator.locate(path);
    return document.keySpelling(inFile);
  }

  #add(severity: Severity, note: Note, stricter: boolean): void {
    const path = note.displayPath ?? this.#locator.show(note.at);
    addFinding(this.findings, severity, note, stricter, path, () => {
      const { file, document, path: inFile } = this.#locator.locate(note.at);
      const position = document.positionOf(inFile, note.key ? 'key' : 'value');
      return { file, text: document.text, position, secret: mayHoldSecret(note.at) };
    });
  }
}

export interface FindingLocation {
  readonly file: string;
  readonly text: SourceText;
  readonly position: TextPosition;
  readonly secret: boolean;
}

/** Adds one finding. `where` is called only if the finding is stored. */
export function addFinding(
  findings: Findings,
  severity: Severity,
  note: Omit<Note, 'at'>,
  stricter: boolean,
  path: string,
  where: () => FindingLocation,
): void {
  const alias = note.hasLegacyAlias === false ? undefined : aliasOf(note.code);
  const { code, message, legacyHint = null, specificHint } = note;
  const shownHint = (): string =>
    (typeof specificHint === 'function' ? specificHint() : specificHint) ?? legacyHint ?? DIAGNOSTIC_CODES[code].remedy;
  if (severity === 'error') {
    findings.recordError(stricter, () => ({
      code: alias ?? code,
      message,
      path,
      hint: stricter ? shownHint() : legacyHint,
    }));
  }
  findings.add(severity, () => {
    const { file, text, position, secret } = where();
    return {
      severity,
      code,
      ...(alias && { alias }),
      ...(severity === 'error' && stricter && ({ stricter: true } as const)),
      path,
      message,
      hint: shownHint(),
      file,
      line: position.line,
      column: position.column,
      source: maskedLine(text.line(position.line), secret),
    };
  });
}

/** Headers and environments often contain pasted secrets. */
function mayHoldSecret(path: Path): boolean {
  return path.includes('headers') || path.includes('environment');
}
