import type { ErrorCode } from '@reins/contracts';
import type { DiagnosticCode } from './codes.ts';

export type Severity = 'error' | 'warning';

/** One finding of the compiler, with its position in the source file. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  /** The less specific code of the legacy system for the same error. */
  readonly alias?: ErrorCode;
  /** True for an error that the legacy system does not report. */
  readonly stricter?: true;
  /** The field (`mcp_registry.servers.github.url`), or the file when the finding is about the whole file. */
  readonly path: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  readonly file: string;
  /** Line and column start at 1. */
  readonly line: number;
  readonly column: number;
  /** The source line. Values that may be secrets are masked. */
  readonly source: string;
}

/** The first error in the public form: exactly these four keys, null when absent. */
export interface CompileError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: string | null;
  readonly hint: string | null;
}
