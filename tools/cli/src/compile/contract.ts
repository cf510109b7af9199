import { isObject, isReinsError, problemOf, ReinsError } from '@reins/contracts';
import {
  type CompiledWorkspaceRuntimePlan,
  type CompileError,
  collectReferences,
  compileWorkspace,
  type Diagnostic,
} from '@reins/workspace-plan';

/** What a program asks to be compiled: the texts of a workspace, none of them read from anywhere. */
export interface CompileRequest {
  readonly workspaceId: string;
  readonly workspaceYaml: string;
  readonly references: Readonly<Record<string, string>>;
}

/** One answer of a batch. */
export type CompileResponse = (
  | { readonly ok: true; readonly plan: CompiledWorkspaceRuntimePlan }
  | { readonly ok: false; readonly error: CompileError }
) & {
  readonly diagnostics: readonly Diagnostic[];
  /** The files that the plan depends on; absent where workspace.yaml cannot be read. */
  readonly references?: readonly string[];
};

/** Compiles what is asked for. Total. */
export function compileRequest({ workspaceId, workspaceYaml, references }: CompileRequest): CompileResponse {
  const { diagnostics, ...result } = compileWorkspace({ workspaceId, workspaceYaml, references });
  const collected = referencesOf(workspaceYaml);
  const more = { diagnostics, ...('references' in collected && { references: collected.references }) };
  return result.ok ? { ok: true, plan: result.plan, ...more } : { ok: false, error: result.error, ...more };
}

/** The files that a workspace.yaml refers to, or the error of the interface. */
export function referencesOf(
  workspaceYaml: string,
): { readonly references: readonly string[] } | { readonly error: CompileError } {
  try {
    return { references: collectReferences(workspaceYaml) };
  } catch (error) {
    if (isReinsError(error)) return { error: interfaceError(error) };
    throw error;
  }
}

/** An error with the four keys that the interface always has. */
export function interfaceError(error: unknown): CompileError {
  const { code, message, path, hint } = isReinsError(error)
    ? (error.problems[0] ?? problemOf(error))
    : problemOf(error);
  return { code, message, path: path ?? null, hint: hint ?? null };
}

/**
 * Reads `{workspace_id, workspace_yaml, references}`; other keys are passed over, absent references are none.
 * @throws ReinsError `request_invalid`
 */
export function readCompileRequest(value: unknown): CompileRequest {
  const request = asObject(value);
  const { references = {} } = request;
  if (!isObject(references)) throw invalid('references', 'references must be an object of path → text');
  for (const [path, text] of Object.entries(references)) {
    if (typeof text !== 'string') throw invalid(`references.${path}`, 'a reference must be text');
  }
  return {
    workspaceId: textField(request, 'workspace_id'),
    workspaceYaml: textField(request, 'workspace_yaml'),
    references: references as Readonly<Record<string, string>>,
  };
}

/** @throws ReinsError `request_invalid` */
export function textField(request: Readonly<Record<string, unknown>>, field: string): string {
  const value = request[field];
  if (typeof value === 'string') return value;
  throw invalid(field, `${field} must be text`);
}

/** @throws ReinsError `request_invalid` */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw invalid(undefined, 'the request must be a JSON object {workspace_id, workspace_yaml, references}');
}

/**
 * Decodes and parses JSON in UTF-8.
 * @throws ReinsError `request_invalid`; what stood there is not repeated, it may be anything
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ReinsError({ code: 'request_invalid', message: 'not a JSON document in UTF-8' }, { cause });
  }
}

function invalid(path: string | undefined, message: string): ReinsError {
  const hint = 'send {workspace_id: text, workspace_yaml: text, references: {path: text}}';
  return new ReinsError({ code: 'request_invalid', message, hint, ...(path !== undefined && { path }) });
}
