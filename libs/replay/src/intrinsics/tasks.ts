import type { JsonObject, JsonValue } from '@reins/contracts';
import type { Execution } from '../engine/execution.ts';
import { HOOK_TIMEOUT_MS, hookLimits } from '../engine/limits.ts';
import { EffectError, misuse } from '../errors.ts';
import type {
  BreakpointOptions,
  DefinedTask,
  HookOptions,
  InvocationOptions,
  TaskDefinition,
} from '../process-context.ts';
import { assertLabel, assertMilliseconds, assertText } from './options.ts';
import { assertTimeFormat, timeOf } from './waiting.ts';

/** The kind `task`, described by a task definition. */
export async function task<Args extends JsonValue | undefined>(
  execution: Execution,
  defined: DefinedTask<Args>,
  args: Args,
  { key, label }: InvocationOptions = {},
): Promise<JsonValue> {
  if (typeof defined?.id !== 'string' || defined.id.trim() === '' || typeof defined.build !== 'function')
    throw misuse('a task needs a non-empty id and a build function');
  const invocation = execution.identify({ kind: 'task', name: defined.id, label, key, args });
  const build = {
    effectId: invocation.effectId,
    invocationKey: invocation.key,
    taskId: defined.id,
    runId: execution.host.identity,
  };
  const definition = definitionOf(defined, args, label === undefined ? build : { ...build, label });
  const named = label ?? ownLabelOf(definition) ?? defined.id;
  const request = taskRequest(definition.kind, defined.id, named, args, definition);
  try {
    return postedValue(await execution.requestEffect(invocation, { request, label: named.trim() || defined.id }));
  } catch (error) {
    if (definition.kind === 'shell' && error instanceof EffectError) return shellFailure(error);
    throw error;
  }
}

function definitionOf<Args>(
  defined: DefinedTask<Args>,
  args: Args,
  build: Parameters<DefinedTask<Args>['build']>[1],
): TaskDefinition {
  const definition = defined.build(args, Object.freeze(build));
  if (typeof definition?.kind !== 'string') throw misuse(`the definition of task ${defined.id} has no kind`);
  return definition;
}

/** Its first label, or else its title. */
function ownLabelOf({ labels, title }: JsonObject): string | undefined {
  const [first] = Array.isArray(labels) ? labels : [];
  return [first, title].find((text) => typeof text === 'string' && text.trim() !== '') as string | undefined;
}

/** A failed command is a result that the process can inspect. */
function shellFailure({ message, code }: EffectError): JsonValue {
  return { success: false, exitCode: 1, stdout: '', stderr: message, error: { name: code, message } };
}

export async function orchestratorTask(
  execution: Execution,
  payload: JsonValue,
  options: InvocationOptions = {},
): Promise<JsonValue> {
  const { key, label = 'orchestrator-task' } = options;
  const invocation = execution.identify({ kind: 'task', name: '__sdk.orchestratorTask', label, key, args: payload });
  const request = taskRequest('orchestrator_task', '__sdk.orchestratorTask', label, payload);
  return postedValue(await execution.requestEffect(invocation, { request, label }));
}

export async function hook(
  execution: Execution,
  type: string,
  payload: JsonValue,
  options: HookOptions = {},
): Promise<JsonValue> {
  const { key, label = type, timeout, throwOnFailure = false } = options;
  if (typeof type !== 'string') throw misuse(`the type of a hook must be a string (got ${String(type)})`);
  const invocation = execution.identify({ kind: 'task', name: '__sdk.hook', label, key, args: payload });
  if (timeout !== undefined && !execution.host.isRecorded(invocation.effectId)) assertMilliseconds(timeout, 'timeout');
  const request = taskRequest('hook', '__sdk.hook', label, { type, payload, timeout: timeout ?? HOOK_TIMEOUT_MS });
  try {
    return postedValue(await execution.requestEffect(invocation, { request, label, limits: hookLimits(timeout) }));
  } catch (error) {
    if (throwOnFailure || !(error instanceof EffectError)) throw error;
    return { hookType: type, success: false, error: error.message, executedHooks: [] };
  }
}

/** The default time to answer a breakpoint. */
const BREAKPOINT_EXPIRY_MS = 30 * 24 * 60 * 60 * 1000;

/** The kind `breakpoint`: an approval with a question of the process. */
export async function breakpoint(
  execution: Execution,
  payload: JsonObject,
  options: BreakpointOptions = {},
): Promise<JsonValue> {
  const { host } = execution;
  const { key, expiresAt, breakpointId, label: givenLabel, ...otherOptions } = options;
  assertLabel(givenLabel);
  if (breakpointId !== undefined && breakpointId !== null) assertText(breakpointId, 'breakpointId');
  if (payload === undefined || payload === null) throw misuse('a breakpoint needs a payload');
  const label =
    givenLabel ?? (typeof payload.label === 'string' && payload.label !== '' ? payload.label : 'breakpoint');
  const id = breakpointId ?? slug(label);
  if (host.nonInteractive) {
    host.outbox.push({
      type: 'PROCESS_LOG',
      data: { label: id, message: 'approved automatically: the run is not interactive' },
    });
    return { approved: true, response: 'Auto-approved (non-interactive mode)' };
  }
  const invocation = execution.identify({ kind: 'breakpoint', name: id, label: undefined, key, args: undefined });
  const expiry =
    expiresAt === undefined ? new Date(host.now().getTime() + BREAKPOINT_EXPIRY_MS) : timeOf(expiresAt, 'expiresAt');
  assertTimeFormat(execution, invocation, expiry.toISOString());
  const subject = { kind: 'breakpoint', label, detail: { breakpointId: id, payload, ...otherOptions } };
  const request: JsonObject = { approvalId: invocation.effectId, subject, expiresAt: expiry.toISOString() };
  return execution.requestEffect(invocation, { request, label });
}

/** Lower case; everything except letters, digits and dots becomes a hyphen. */
export function slug(label: string): string {
  return (
    label
      .toLowerCase()
      .replaceAll(/[^a-z0-9.]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'breakpoint'
  );
}

function taskRequest(
  kind: string,
  taskId: string,
  label: string,
  args: JsonValue | undefined,
  definition?: TaskDefinition,
): JsonObject {
  return { kind, taskId, label, ...(args !== undefined && { args }), ...(definition && { definition }) };
}

/** The answer has the fields of the fact `runtime.task.completed`. */
function postedValue(answer: JsonValue): JsonValue {
  return typeof answer === 'object' && answer !== null && 'value' in answer ? (answer.value ?? null) : null;
}
