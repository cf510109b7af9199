import type { ErrorCode } from '@reins/contracts';
import type { DiagnosticCode } from './codes.ts';

export type Severity = 'error' | 'warning';

/** One finding of the compiler, told with the place where the author can mend it. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  /** The code under which installations that migrate know this error, where ours is more precise. */
  readonly alias?: ErrorCode;
  /** Set on an error of Reins alone: the system that users migrate from lets this pass. */
  readonly stricter?: true;
  /** The field (`mcp_registry.servers.github.url`), or the file when the file as a whole is meant. */
  readonly path: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The line of the file, its values hidden where they may be secrets. */
  readonly source: string;
}

/** The first error in the form of the interface: exactly these four keys, absent ones null. */
export interface CompileError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: string | null;
  readonly hint: string | null;
}
