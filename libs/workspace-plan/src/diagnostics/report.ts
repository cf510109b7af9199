import type { Path } from '../compile/values.ts';
import type { Place, SourceText } from '../yaml/source-text.ts';
import { aliasOf, DIAGNOSTIC_CODES, type DiagnosticCode } from './codes.ts';
import type { Severity } from './diagnostic.ts';
import type { Findings } from './findings.ts';
import type { Locator } from './locator.ts';
import { maskedLine } from './source-line.ts';

export type Advice = string | undefined | (() => string | undefined);

/** Something to tell about a path. */
export interface Note {
  readonly code: DiagnosticCode;
  readonly at: Path;
  readonly message: string;
  /** Null where installations that migrate know nothing of this, whatever else they know under the code. */
  readonly alias?: null;
  /** The hint that belongs to the interface: migrating installations see it in `error.hint`. */
  readonly hint?: string | null;
  /**
   * What else may help the author; told in the diagnostic alone. A function is called only for what is kept. Without any, the
   * diagnostic tells what its code asks for in general.
   */
  readonly advice?: Advice;
  /** The path as it is told, where that differs from the way through the file. */
  readonly shown?: string;
  /** Point at the key instead of its value. */
  readonly key?: boolean;
}

/** What was found in one file, or in one part of a workspace. */
export class Report {
  readonly findings: Findings;
  readonly #locator: Locator;

  constructor(findings: Findings, locator: Locator) {
    this.findings = findings;
    this.#locator = locator;
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
    this.#add('warning', note, true);
  }

  /** How a name that an author chose is spelled in the file, when that is known. */
  spelling(path: Path): string | undefined {
    const { document, path: inFile } = this.#locator.locate(path);
    return document.keySpelling(inFile);
  }

  #add(severity: Severity, note: Note, stricter: boolean): void {
    const path = note.shown ?? this.#locator.show(note.at);
    addFinding(this.findings, severity, note, stricter, path, () => {
      const { file, document, path: inFile } = this.#locator.locate(note.at);
      const place = document.placeOf(inFile, note.key ? 'key' : 'value');
      return { file, text: document.text, place, secret: mayHoldSecret(note.at) };
    });
  }
}

export interface FindingLocation {
  readonly file: string;
  readonly text: SourceText;
  readonly place: Place;
  readonly secret: boolean;
}

/** Adds one finding. The place is looked up only when the finding is kept. */
export function addFinding(
  findings: Findings,
  severity: Severity,
  note: Omit<Note, 'at'>,
  stricter: boolean,
  path: string,
  where: () => FindingLocation,
): void {
  const alias = note.alias === null ? undefined : aliasOf(note.code);
  const { code, message, hint = null, advice } = note;
  const advised = (): string =>
    (typeof advice === 'function' ? advice() : advice) ?? hint ?? DIAGNOSTIC_CODES[code].mend;
  if (severity === 'error') {
    findings.refuse(stricter, () => ({ code: alias ?? code, message, path, hint: stricter ? advised() : hint }));
  }
  findings.keep(severity, () => {
    const { file, text, place, secret } = where();
    return {
      severity,
      code,
      ...(alias && { alias }),
      ...(severity === 'error' && stricter && ({ stricter: true } as const)),
      path,
      message,
      hint: advised(),
      file,
      line: place.line,
      column: place.column,
      source: maskedLine(text.line(place.line), secret),
    };
  });
}

/** Values of headers and of environments are where people paste secrets. */
function mayHoldSecret(path: Path): boolean {
  return path.includes('headers') || path.includes('environment');
}
