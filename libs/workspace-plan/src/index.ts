/**
 * workspace.yaml and the files it refers to → a plan, or diagnostics. Pure: no I/O, no clock, no environment.
 */
export { type CompileInput, type CompileResult, compileWorkspace, inputsChecksum, WORKSPACE_FILE } from './compile.ts';
export type { CompileError, Diagnostic, Severity } from './diagnostics/diagnostic.ts';
export * from './plan.ts';
export { collectReferences, PROMPT_FILE, stageFile } from './references.ts';
