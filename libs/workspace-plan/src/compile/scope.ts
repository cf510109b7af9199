import type { FileReport } from '../diagnostics/findings.ts';
import type { Mapping } from './values.ts';

/** What every check of workspace.yaml sees. */
export interface Scope {
  readonly root: Mapping;
  readonly report: FileReport;
  readonly references: Readonly<Record<string, string>>;
}
