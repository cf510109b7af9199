import type { ErrorCode } from '@reins/contracts';
import type { Findings } from '../diagnostics/findings.ts';
import { tell } from '../diagnostics/report.ts';
import type { YamlFailure } from '../yaml/document.ts';
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

/** Reports a file that could not be read at all; `code` is that of a syntax error in such a file. */
export function reportFailure(findings: Findings, file: string, failed: Failed, code: ErrorCode): void {
  const { kind, reason, place } = failed.failure;
  const message = kind === 'syntax' ? `invalid YAML: ${reason}` : reason;
  const note = { code: codeOf(kind, code), message, advice: ADVICE[kind] };
  tell(findings, 'error', note, false, file, () => ({ file, text: failed.text, place, secret: false }));
}

function codeOf(kind: YamlFailure['kind'], syntax: ErrorCode): ErrorCode {
  if (kind === 'syntax') return syntax;
  return kind === 'length' ? 'workspace_input_too_large' : 'workspace_yaml_unsafe';
}
