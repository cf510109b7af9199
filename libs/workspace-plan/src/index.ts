/**
 * Compiles workspace.yaml and the files that it refers to into a plan or diagnostics. Pure: no I/O, no clock, no
 * environment.
 */

export { agentsOf, findAgent, planOfAgent } from './agents.ts';
export { WORKSPACE_FILE } from './compile/compile-workspace-file.ts';
export type { CheckedCode, CheckedModule, NamedCode, Observed } from './compile/observed.ts';
export type { ProbedServer } from './compile/probed-server.ts';
export {
  type Compiled,
  type CompileInput,
  type CompileResult,
  compileWorkspace,
  inputsChecksum,
  type Refused,
} from './compile.ts';
export { DIAGNOSTIC_CODES, type DiagnosticCode } from './diagnostics/codes.ts';
export type { CompileError, Diagnostic, Severity } from './diagnostics/diagnostic.ts';
export { renderDiagnostic } from './diagnostics/render.ts';
export { gatherInput, type WorkspaceFiles } from './gather.ts';
export { isInventoryFile } from './inventory/documents.ts';
export * from './plan.ts';
export { inventoryJsonSchema, manifestJsonSchema, workspaceJsonSchema } from './publish/json-schema.ts';
export {
  collectInventoryReferences,
  collectReferences,
  declaredProcess,
  PROMPT_FILE,
  stageFile,
} from './references.ts';
