import type { JsonObject, JsonValue } from '@reins/contracts';
import type { Execution } from '../engine/execution.ts';
import { misuse } from '../errors.ts';
import type { InvocationOptions, SubprocessRequest } from '../process-context.ts';
import { assertText } from './options.ts';

/** The kind `child`: another run, whose id follows from this call. */
export async function child(
  execution: Execution,
  process: string,
  inputs: JsonValue,
  options: InvocationOptions = {},
): Promise<JsonValue> {
  assertText(process, 'the process of ctx.child');
  return (await requestChild(execution, { process, inputs }, options)).output;
}

/** `child` in the form of babysitter. */
export async function subprocess(
  execution: Execution,
  request: SubprocessRequest,
): Promise<{ runId: string; output: JsonValue }> {
  if (typeof request !== 'object' || request === null) throw misuse('the request of ctx.subprocess must be an object');
  const { processPath, exportName, processId, prompt, inputs = null, metadata } = request;
  assertText(processPath, 'processPath');
  if (exportName !== undefined && exportName !== null) assertText(exportName, 'exportName');
  const process = `${processPath}#${exportName ?? 'process'}`;
  const more = { ...(processId && { processId }), ...(prompt && { prompt }), ...(metadata && { metadata }) };
  return requestChild(execution, { process, inputs, ...more }, {});
}

async function requestChild(
  execution: Execution,
  request: JsonObject & { readonly process: string; readonly inputs: JsonValue },
  { key, label }: InvocationOptions,
): Promise<{ runId: string; output: JsonValue }> {
  const invocation = execution.identify({ kind: 'child', name: request.process, label, key, args: request.inputs });
  const childRequestId = invocation.effectId.replace(/^ef_/, 'run_');
  const value = await execution.requestEffect(invocation, { request: { ...request, childRequestId }, label });
  return { runId: childRequestId, output: outputOf(value) };
}

/** The answer has the fields of the fact `runtime.child.completed`. */
function outputOf(value: JsonValue): JsonValue {
  return typeof value === 'object' && value !== null && 'output' in value ? (value.output ?? null) : null;
}
