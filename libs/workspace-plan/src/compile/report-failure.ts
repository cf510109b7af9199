import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { Findings } from '../diagnostics/findings.ts';
import { addFinding } from '../diagnostics/report.ts';
import type { YamlFailure } from '../yaml/failure.ts';
import { furtherSyntaxErrors } from '../yaml/further-syntax-errors.ts';
import type { SourceText } from '../yaml/source-text.ts';

interface FailedRead {
  readonly failure: YamlFailure;
  readonly text: SourceText;
}

const ADVICE = {
  syntax: 'fix the syntax here; the cause may be on an earlier line',
  length: 'split the file, or move data to other files',
  depth: 'reduce the nesting',
  expansion: 'use fewer aliases or smaller anchors',
} as const;

/**
 * Reports a file that cannot be parsed. `code` is the code of a syntax error in this kind of file. The parser stops at
 * the first syntax error, so a tolerant parser looks for errors on other lines.
 */
export function reportFailure(findings: Findings, file: string, failed: FailedRead, code: DiagnosticCode): void {
  const { kind, reason, position } = failed.failure;
  const message = kind === 'syntax' ? `invalid YAML: ${reason}` : reason;
  const specificHint = (kind === 'syntax' && syntaxAdvice(reason, failed.text.line(position.line))) || ADVICE[kind];
  const finding = { code: codeOf(kind, code), message, specificHint };
  addFinding(findings, 'error', finding, false, file, () => ({ file, text: failed.text, position, secret: false }));
  if (kind !== 'syntax') return;
  // After a tab, the tolerant parser reports follow-up errors on other lines.
  const further = furtherSyntaxErrors(failed.text, position.line).filter(
    (each) => !(TAB.test(reason) && (TAB.test(each.reason) || failed.text.line(each.position.line).startsWith('\t'))),
  );
  for (const each of further) {
    const found = { code, message: `invalid YAML: ${each.reason}` };
    addFinding(findings, 'error', found, false, file, () => ({
      file,
      text: failed.text,
      position: each.position,
      secret: false,
    }));
  }
}

const TAB = /\btabs?\b/i;

function syntaxAdvice(reason: string, line: string): string | undefined {
  return TAB.test(reason) ? 'indent with spaces; YAML does not allow tabs' : adviceForQuotes(line);
}

/** The name of a scoped npm package needs quotes in YAML. */
function adviceForQuotes(line: string): string | undefined {
  const [, key, value] = /(?:^\s*|[{,]\s*)([\w-]+):\s+(@[^\s"',}]+)/.exec(line) ?? [];
  return key && `a value that starts with @ needs quotes: \`${key}: "${value}"\``;
}

function codeOf(kind: YamlFailure['kind'], syntax: DiagnosticCode): DiagnosticCode {
  if (kind === 'syntax') return syntax;
  return kind === 'length' ? 'workspace_input_too_large' : 'workspace_yaml_unsafe';
}
