import { checksumOf } from './checksums.ts';
import { compileWorkspaceFile, WORKSPACE_FILE } from './compile/compile-workspace-file.ts';
import type { NamedCode, Observed } from './compile/observed.ts';
import type { Scope } from './compile/scope.ts';
import type { UnpricedModels } from './compile/unpriced-models.ts';
import type { CompileError, Diagnostic } from './diagnostics/diagnostic.ts';
import { Findings } from './diagnostics/findings.ts';
import { checkInputSizes } from './input-limits.ts';
import { warnAboutInvalidUtf8 } from './invalid-utf8.ts';
import { compileInventory } from './inventory/compile-inventory.ts';
import type { CompiledWorkspaceRuntimePlan } from './plan.ts';

export interface CompileInput {
  readonly workspaceId: string;
  /** The text of workspace.yaml, or null when the workspace consists of documents under config/. */
  readonly workspaceYaml: string | null;
  /** Path → text of the files that `collectReferences` returned. Missing files have no entry. */
  readonly references: Readonly<Record<string, string>>;
  /** Path → text of the inventory documents (`isInventoryFile`). Ignored when there is a workspace.yaml. */
  readonly files?: Readonly<Record<string, string>>;
  /** The models without a known price. Absent: prices are not checked. */
  readonly unpriced?: UnpricedModels | undefined;
}

/** Common to both results. */
interface CompileOutcome {
  /** SHA-256 over all inputs. Use it as a cache key. */
  readonly inputs_checksum: string;
  /** Ordered by file and position; at most 200 of each severity. */
  readonly diagnostics: readonly Diagnostic[];
  /** The number of findings, including those that are not in `diagnostics`. */
  readonly counts: { readonly error: number; readonly warning: number };
  /** The modules that the workspace names, as far as it could be read. */
  readonly code: NamedCode;
}

export interface Compiled extends CompileOutcome {
  readonly ok: true;
  readonly plan: CompiledWorkspaceRuntimePlan;
}

export interface Refused extends CompileOutcome {
  readonly ok: false;
  /** The first error, with the code and message that the legacy system reports. */
  readonly error: CompileError;
}

export type CompileResult = Compiled | Refused;

/**
 * Compiles a workspace. Never throws for invalid input: the result is a plan or an error, with all diagnostics.
 * @param observed what else is known, and compared with the documents. The checksum of the inputs does not cover it
 */
export function compileWorkspace(input: CompileInput, observed: Observed = {}): CompileResult {
  const findings = new Findings();
  let code: NamedCode = { catalog: [] };
  const onCode = (named: NamedCode): void => {
    code = named;
  };
  const plan = checkInputSizes(input, findings) ? compileByFormat(input, findings, { observed, onCode }) : undefined;
  warnAboutInvalidUtf8(input, findings);
  const { error, diagnostics, counts } = findings;
  const outcome = { inputs_checksum: inputsChecksum(input), diagnostics, counts, code };
  if (error) return { ok: false, error, ...outcome };
  if (!plan) throw new Error('a workspace without a plan has at least one error');
  return { ok: true, plan, ...outcome };
}

function compileByFormat(
  input: CompileInput,
  findings: Findings,
  more: Pick<Scope, 'observed' | 'onCode'>,
): CompiledWorkspaceRuntimePlan | undefined {
  const { workspaceId, workspaceYaml, references, files = {}, unpriced } = input;
  if (workspaceYaml === null) return compileInventory({ workspaceId, references, files, unpriced, ...more }, findings);
  return compileWorkspaceFile({ workspaceId, workspaceYaml, references, unpriced, ...more }, findings);
}

/**
 * The checksum over everything that the plan depends on. It costs a fraction of a compile, so check a cache with it
 * first.
 */
export function inputsChecksum(input: CompileInput): string {
  const { workspaceId, workspaceYaml, references, files = {} } = input;
  const inputs = new Map([['workspace_id', workspaceId]]);
  if (workspaceYaml !== null) inputs.set(`workspace:${WORKSPACE_FILE}`, workspaceYaml);
  else for (const [path, text] of Object.entries(files)) inputs.set(`file:${path}`, text);
  for (const [path, text] of Object.entries(references)) inputs.set(`reference:${path}`, text);
  return checksumOf(inputs);
}
