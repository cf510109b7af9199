import type { Report } from '../diagnostics/report.ts';
import type { NamedCode, Observed } from './observed.ts';
import type { UnpricedModels } from './unpriced-models.ts';
import type { Mapping } from './values.ts';

/** The input and output of all checks of one workspace. */
export interface Scope {
  /** The workspace in workspace.yaml form. An inventory is converted to this form first. */
  readonly root: Mapping;
  readonly report: Report;
  readonly references: Readonly<Record<string, string>>;
  /** Instructions of single agents, by agent id; they follow AGENTS.md in the prompt. Only an inventory has them. */
  readonly instructions?: Readonly<Record<string, string>>;
  /** The models without a known price. Absent: prices are not checked. */
  readonly unpriced?: UnpricedModels | undefined;
  readonly observed: Observed;
  /** Takes the modules that the workspace names, also if it does not compile. */
  readonly onCode: (named: NamedCode) => void;
}
