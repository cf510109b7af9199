import { checksumOf } from './checksums.ts';
import { compileWorkspaceFile, WORKSPACE_FILE } from './compile/compile-workspace-file.ts';
import type { CompileError, Diagnostic } from './diagnostics/diagnostic.ts';
import { Findings } from './diagnostics/findings.ts';
import { checkInputSizes } from './input-limits.ts';
import { warnAboutInvalidUtf8 } from './invalid-utf8.ts';
import { compileInventory } from './inventory/compile-inventory.ts';
import type { CompiledWorkspaceRuntimePlan } from './plan.ts';

export interface CompileInput {
  readonly workspaceId: string;
  /** The text of workspace.yaml; null for a workspace that has none and is written as documents under config/. */
  readonly workspaceYaml: string | null;
  /** What `collectReferences` named, path → text. A file that the workspace does not have is absent here. */
  readonly references: Readonly<Record<string, string>>;
  /** The documents of an inventory (`isInventoryFile`), path → text. Not looked at where there is a workspace.yaml. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What is told whether or not there is a plan. */
interface CompileOutcome {
  /** SHA-256 over every input: the key of a cache. */
  readonly inputs_checksum: string;
  /** In the order of the files and of their lines; at most 200 of each severity. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many were found. */
  readonly counts: { readonly error: number; readonly warning: number };
}

export interface Compiled extends CompileOutcome {
  readonly ok: true;
  readonly plan: CompiledWorkspaceRuntimePlan;
}

export interface Refused extends CompileOutcome {
  readonly ok: false;
  /** The first error, in the terms that migrating installations know. */
  readonly error: CompileError;
}

export type CompileResult = Compiled | Refused;

/** Compiles a workspace. Total: every input gives a plan or a refusal, and all that was found on the way. */
export function compileWorkspace(input: CompileInput): CompileResult {
  const findings = new Findings();
  const plan = checkInputSizes(input, findings) ? compileForm(input, findings) : undefined;
  warnAboutInvalidUtf8(input, findings);
  const { error, diagnostics, counts } = findings;
  const outcome = { inputs_checksum: inputsChecksum(input), diagnostics, counts };
  if (error) return { ok: false, error, ...outcome };
  if (!plan) throw new Error('a workspace without a plan has at least one error');
  return { ok: true, plan, ...outcome };
}

function compileForm(input: CompileInput, findings: Findings): CompiledWorkspaceRuntimePlan | undefined {
  const { workspaceId, workspaceYaml, references, files = {} } = input;
  if (workspaceYaml === null) return compileInventory({ workspaceId, references, files }, findings);
  return compileWorkspaceFile({ workspaceId, workspaceYaml, references }, findings);
}

/** The sum over everything that the plan depends on. Costs a fraction of compiling: ask a cache with it first. */
export function inputsChecksum(input: CompileInput): string {
  const { workspaceId, workspaceYaml, references, files = {} } = input;
  const inputs = new Map([['workspace_id', workspaceId]]);
  if (workspaceYaml !== null) inputs.set(`workspace:${WORKSPACE_FILE}`, workspaceYaml);
  else for (const [path, text] of Object.entries(files)) inputs.set(`file:${path}`, text);
  for (const [path, text] of Object.entries(references)) inputs.set(`reference:${path}`, text);
  return checksumOf(inputs);
}
