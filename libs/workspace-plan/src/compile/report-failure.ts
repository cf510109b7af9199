import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { Findings } from '../diagnostics/findings.ts';
import { addFinding } from '../diagnostics/report.ts';
import type { YamlFailure } from '../yaml/document.ts';
import { furtherSyntaxErrors } from '../yaml/further-syntax-errors.ts';
import type { SourceText } from '../yaml/source-text.ts';

interface Failed {
  readonly failure: YamlFailure;
  readonly text: SourceText;
}

const ADVICE = {
  syntax: 'the parser stopped here; the cause may stand a little before',
  length: 'split the file, or move data out of it',
  depth: 'nest less',
  expansion: 'use fewer aliases, or smaller anchors',
} as const;

/**
 * Reports a file that could not be read at all; `code` is that of a syntax error in such a file. The reader stops at the first
 * error of syntax, so those that stand on other lines are looked up by a parser that goes on.
 */
export function reportFailure(findings: Findings, file: string, failed: Failed, code: DiagnosticCode): void {
  const { kind, reason, place } = failed.failure;
  const message = kind === 'syntax' ? `invalid YAML: ${reason}` : reason;
  const note = { code: codeOf(kind, code), message, advice: ADVICE[kind] };
  addFinding(findings, 'error', note, false, file, () => ({ file, text: failed.text, place, secret: false }));
  if (kind !== 'syntax') return;
  for (const further of furtherSyntaxErrors(failed.text, place.line)) {
    const found = { code, message: `invalid YAML: ${further.reason}` };
    addFinding(findings, 'error', found, false, file, () => ({
      file,
      text: failed.text,
      place: further.place,
      secret: false,
    }));
  }
}

function codeOf(kind: YamlFailure['kind'], syntax: DiagnosticCode): DiagnosticCode {
  if (kind === 'syntax') return syntax;
  return kind === 'length' ? 'workspace_input_too_large' : 'workspace_yaml_unsafe';
}
