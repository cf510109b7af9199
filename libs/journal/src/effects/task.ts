import type { JsonObject, JsonValue } from '@reins/contracts';
import type { EffectKind } from './effect-kind.ts';
import { WAIT_LIMITS } from './limits.ts';

/** Work that a task definition describes, for a person or a worker outside of Reins. Its start is not reported. */
export const task = {
  facts: { requested: 'runtime.task.requested', completed: 'runtime.task.completed', failed: 'runtime.task.failed' },
  identity: ['kind', 'taskId', 'label'],
  requestedFields: ({ attempt, limits }, at) => ({
    attempt,
    deadline: new Date(Date.parse(at) + limits.runForMs).toISOString(),
  }),
  failsWhenCancelled: true,
  resolvedBy: 'post',
  limits: WAIT_LIMITS,
  deadline: 'run',
  call: 'use ctx.task with a task definition',
  hasDefinition: true,
  completedValue: (value, facts) => ({ ...facts, value }),
  foreign: { identity: ({ taskId }) => taskId, args: argsOf, recordedArgs },
} as const satisfies EffectKind;

/** Whether an effect is a hook: a task of `ctx.hook`. */
export const isHook = ({ kind, request }: { readonly kind: string; readonly request: JsonObject }): boolean =>
  kind === 'task' && request.kind === 'hook';

/** The arguments of a call, or else the inputs in its task definition. */
function argsOf({ args, definition }: JsonObject): JsonValue {
  return args ?? (definition as JsonObject | undefined)?.inputs ?? null;
}

/** The arguments of a built-in call are its payload. */
function recordedArgs(request: JsonObject): JsonValue | undefined {
  const { args, definition, taskId } = request as Readonly<Record<string, JsonObject | undefined>>;
  if (args === undefined && (definition?.taskId === undefined || definition.inputsRef !== undefined)) return undefined;
  return String(taskId).startsWith('__sdk.') ? (args?.payload ?? null) : argsOf(request);
}
