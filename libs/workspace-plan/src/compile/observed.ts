import type { Problem } from '@reins/contracts';
import type { CatalogTool } from '../plan.ts';
import type { ProbedServer } from './probed-server.ts';

/** What is known about a workspace and its installation in addition to its documents. An absent part is not checked. */
export interface Observed {
  /** What its servers offered when they were started. The allowlist and the gated tools are compared with it. */
  readonly probed?: readonly ProbedServer[] | undefined;
  /** What its modules are. */
  readonly code?: CheckedCode | undefined;
  /** Why the installation cannot call a model; undefined if it can. */
  readonly modelProblem?: ((model: string) => Problem | undefined) | undefined;
}

/** The modules that a workspace names. */
export interface NamedCode {
  readonly catalog: readonly CatalogTool[];
  /** The process, as `<path>#<export>`. */
  readonly process?: string | undefined;
}

/** The modules of a workspace. They were read, not run. */
export interface CheckedCode {
  /** The modules of the catalog, by `module_path`. */
  readonly tools: ReadonlyMap<string, CheckedModule>;
  /** The module of `process`. */
  readonly process?: CheckedModule | undefined;
}

export interface CheckedModule {
  /** Its path in the workspace; of a module that does not exist, the path where it is expected. */
  readonly path: string;
  /** Whether it exists. */
  readonly exists: boolean;
  /** The modules that may have been meant, in the form in which the workspace names them. */
  readonly others?: readonly string[];
  /** Why it cannot be loaded. */
  readonly problem?: string | undefined;
  /** Its exports. Absent: they are not known. */
  readonly exports?: readonly string[] | undefined;
}
