import type { Report } from '../diagnostics/report.ts';
import type { Mapping } from './values.ts';

/** What every check of a workspace sees. */
export interface Scope {
  /** The workspace in the form of workspace.yaml; an inventory is brought into this form first. */
  readonly root: Mapping;
  readonly report: Report;
  readonly references: Readonly<Record<string, string>>;
  /** What single agents are told after AGENTS.md, by agent id. Only an inventory has that. */
  readonly instructions?: Readonly<Record<string, string>>;
}
