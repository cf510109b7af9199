import type { ErrorCode } from '@reins/contracts';
import { diagnostic, type Findings } from '../diagnostics/findings.ts';
import type { YamlFailure } from '../yaml/document.ts';
import type { SourceText } from '../yaml/source-text.ts';

const CODES = {
  length: 'workspace_input_too_large',
  depth: 'workspace_yaml_unsafe',
  expansion: 'workspace_yaml_unsafe',
} as const satisfies Record<string, ErrorCode>;

interface Failed {
  readonly failure: YamlFailure;
  readonly text: SourceText;
}

/** Reports a file that could not be read at all. */
export function reportFailure(findings: Findings, file: string, failed: Failed, code: ErrorCode, path: string): void {
  const { kind, reason, place } = failed.failure;
  const note =
    kind === 'syntax' ? { code, message: `invalid YAML: ${reason}` } : { code: CODES[kind], message: reason };
  const where = { path, file, text: failed.text, place, secret: false };
  findings.add(diagnostic('error', note, where), false);
}
