import { defined, isObject, isReinsError, problemOf, ReinsError } from '@reins/contracts';
import {
  type CompiledWorkspaceRuntimePlan,
  type CompileError,
  collectReferences,
  compileWorkspace,
  type Diagnostic,
} from '@reins/workspace-plan';

/** A request to compile a workspace. It carries all texts; no file is read. */
export interface CompileRequest {
  readonly workspaceId: string;
  readonly workspaceYaml: string;
  readonly references: Readonly<Record<string, string>>;
}

/** The response to one compile request. */
export type CompileResponse = (
  | { readonly ok: true; readonly plan: CompiledWorkspaceRuntimePlan }
  | { readonly ok: false; readonly error: CompileError }
) & {
  readonly diagnostics: readonly Diagnostic[];
  /** The files that the plan depends on; absent when workspace.yaml cannot be parsed. */
  readonly references?: readonly string[];
};

/** Compiles a request. Never throws for an invalid workspace: the errors are in the response. */
export function compileRequest({ workspaceId, workspaceYaml, references }: CompileRequest): CompileResponse {
  const { diagnostics, ...result } = compileWorkspace({ workspaceId, workspaceYaml, references });
  const collected = referencesOf(workspaceYaml);
  const more = { diagnostics, ...('references' in collected && { references: collected.references }) };
  return result.ok ? { ok: true, plan: result.plan, ...more } : { ok: false, error: result.error, ...more };
}

/** The files that a workspace.yaml refers to, or the error in the form of the interface. */
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

/** An error in the form of the interface, which always has the same four keys. */
export function interfaceError(error: unknown): CompileError {
  const { code, message, path, hint } = isReinsError(error)
    ? (error.problems[0] ?? problemOf(error))
    : problemOf(error);
  return { code, message, path: path ?? null, hint: hint ?? null };
}

/**
 * Validates `{workspace_id, workspace_yaml, references}`. Ignores other keys; `references` is optional.
 * @throws ReinsError `request_invalid`
 */
export function readCompileRequest(value: unknown): CompileRequest {
  const request = asObject(value);
  const { references = {} } = request;
  if (!isObject(references)) throw invalid('references', 'references must be an object of path → string');
  for (const [path, text] of Object.entries(references)) {
    if (typeof text !== 'string') throw invalid(`references.${path}`, 'a reference must be a string');
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
  throw invalid(field, `${field} must be a string`);
}

/** @throws ReinsError `request_invalid` */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw invalid(undefined, 'the request must be a JSON object {workspace_id, workspace_yaml, references}');
}

/**
 * Parses UTF-8 encoded JSON.
 * @throws ReinsError `request_invalid`, without the input, which may hold anything
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ReinsError({ code: 'request_invalid', message: 'the request is not valid JSON in UTF-8' }, { cause });
  }
}

function invalid(path: string | undefined, message: string): ReinsError {
  const hint = 'Send {workspace_id: string, workspace_yaml: string, references: {path: string}}.';
  return new ReinsError({ code: 'request_invalid', message, hint, ...defined({ path }) });
}
