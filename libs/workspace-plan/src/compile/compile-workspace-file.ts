import { sha256 } from '../checksums.ts';
import type { Findings } from '../diagnostics/findings.ts';
import { documentLocator } from '../diagnostics/locator.ts';
import { Report } from '../diagnostics/report.ts';
import type { CompiledWorkspaceRuntimePlan } from '../plan.ts';
import { warnUnknownKeys } from '../schema/unknown-keys.ts';
import { WORKSPACE } from '../schema/workspace.ts';
import { compileScope } from './compile-scope.ts';
import { checkDocument } from './document-checks.ts';
import type { Observed } from './observed.ts';
import { readWorkspaceYaml } from './read-files.ts';
import { reportFailure } from './report-failure.ts';
import type { Scope } from './scope.ts';
import type { UnpricedModels } from './unpriced-models.ts';
import { isMapping, kindOf } from './values.ts';

export const WORKSPACE_FILE = 'workspace.yaml';

export interface WorkspaceFileInput {
  readonly workspaceId: string;
  readonly workspaceYaml: string;
  readonly references: Readonly<Record<string, string>>;
  readonly unpriced?: UnpricedModels | undefined;
  readonly observed: Observed;
  readonly onCode: Scope['onCode'];
}

/** Compiles a workspace that is defined by workspace.yaml. */
export function compileWorkspaceFile(
  input: WorkspaceFileInput,
  findings: Findings,
): CompiledWorkspaceRuntimePlan | undefined {
  const file = readWorkspaceYaml(input.workspaceYaml);
  if (!file.ok) {
    reportFailure(findings, WORKSPACE_FILE, file, 'workspace_config_invalid_yaml');
    return undefined;
  }
  const report = new Report(findings, documentLocator(WORKSPACE_FILE, file.value));
  const root = file.value.value;
  if (!isMapping(root)) {
    report.error({
      code: 'workspace_shape_invalid',
      at: [],
      displayPath: WORKSPACE_FILE,
      message: 'workspace.yaml must parse to a mapping object',
      specificHint: `found ${kindOf(root)}; write a mapping with at least 'agents' and 'mcp_registry'`,
    });
    return undefined;
  }
  const { references, unpriced, observed, onCode } = input;
  const scope = { root, report, references, unpriced, observed, onCode };
  const plan = compileScope(scope, input.workspaceId, () => sha256(input.workspaceYaml));
  warnUnknownKeys(report, root, WORKSPACE);
  checkDocument(findings, WORKSPACE_FILE, file.value);
  return plan;
}
