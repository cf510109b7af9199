import type { Path } from '../compile/values.ts';
import type { SourceText, TextPosition } from '../yaml/source-text.ts';
import { aliasOf, DIAGNOSTIC_CODES, type DiagnosticCode } from './codes.ts';
import type { Severity } from './diagnostic.ts';
import type { Findings } from './findings.ts';
import type { Locator } from './locator.ts';
import { maskedLine } from './source-line.ts';

export type SpecificHint = string | undefined | (() => string | undefined);

/** The input of a finding about a path. */
export interface FindingInput {
  readonly code: DiagnosticCode;
  readonly at: Path;
  /** What `error.message` says, which for errors of the legacy system is the text of that system. */
  readonly message: string;
  /** A more specific message, for the diagnostic. */
  readonly specificMessage?: string | undefined;
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
  readonly pointsAtKey?: boolean;
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
  error(finding: FindingInput): void {
    this.#add('error', finding, false);
  }

  /** Reports an error that only Reins reports. The legacy system guesses a value or ignores the mistake. */
  strictError(finding: FindingInput): void {
    this.#add('error', finding, true);
  }

  warn(finding: FindingInput): void {
    this.#add('warning', finding, true);
  }

  /** How the last key of the path is spelled in the file, if known. */
  spelling(path: Path): string | undefined {
    const { document, path: inFile } = this.#locator.locate(path);
    return document.keySpelling(inFile);
  }

  #add(severity: Severity, finding: FindingInput, isReinsOnly: boolean): void {
    const path = finding.displayPath ?? this.#locator.show(finding.at);
    addFinding(this.findings, severity, finding, isReinsOnly, path, () => {
      const { file, document, path: inFile } = this.#locator.locate(finding.at);
      const position = document.positionOf(inFile, finding.pointsAtKey ? 'key' : 'value');
      return { file, text: document.text, position, secret: mayHoldSecret(finding.at) };
    });
  }
}

export interface FindingLocation {
  readonly file: string;
  readonly text: SourceText;
  readonly position: TextPosition;
  readonly secret: boolean;
}

/** Adds one finding. `locate` is called only if the finding is stored. */
export function addFinding(
  findings: Findings,
  severity: Severity,
  finding: Omit<FindingInput, 'at'>,
  isReinsOnly: boolean,
  path: string,
  locate: () => FindingLocation,
): void {
  const alias = finding.hasLegacyAlias === false ? undefined : aliasOf(finding.code);
  const { code, message, specificMessage, legacyHint = null, specificHint } = finding;
  const shownHint = (): string =>
    (typeof specificHint === 'function' ? specificHint() : specificHint) ?? legacyHint ?? DIAGNOSTIC_CODES[code].remedy;
  if (severity === 'error') {
    findings.recordError(isReinsOnly, () => ({
      code: alias ?? code,
      message,
      path,
      hint: isReinsOnly ? shownHint() : legacyHint,
    }));
  }
  findings.add(severity, () => {
    const { file, text, position, secret } = locate();
    return {
      severity,
      code,
      ...(alias && { alias }),
      ...(severity === 'error' && isReinsOnly && ({ stricter: true } as const)),
      path,
      message: specificMessage ?? message,
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
