import type { JsonObject, JsonValue } from '@reins/contracts';
import type { Execution } from '../engine/execution.ts';
import { jsonCopy } from '../engine/json-copy.ts';
import { ownLabel } from '../engine/marks.ts';
import { currentScope, type Scope } from '../engine/scopes.ts';
import { misuse, ProcessEnded } from '../errors.ts';
import { child, subprocess } from '../intrinsics/child.ts';
import { effect } from '../intrinsics/effect.ts';
import { parallelAll, parallelMap } from '../intrinsics/parallel.ts';
import { step } from '../intrinsics/step.ts';
import { breakpoint, hook, orchestratorTask, task } from '../intrinsics/tasks.ts';
import { signal, sleepUntil } from '../intrinsics/waiting.ts';
import type { CancellationScope, ProcessContext } from '../process-context.ts';

/** Builds the context of one execution from the intrinsics. */
export function buildContext(execution: Execution): ProcessContext {
  const { host, random } = execution;
  return {
    runId: host.identity,
    request: jsonCopy(host.request) as JsonObject,
    effect: (kind, request, options) => ignoreUnhandled(effect(execution, kind, request, options)),
    task: (defined, args, options) => ignoreUnhandled(task(execution, defined, args, options)),
    breakpoint: (payload, options) => ignoreUnhandled(breakpoint(execution, payload, options)),
    sleepUntil: (when, options) => ignoreUnhandled(sleepUntil(execution, when, options)),
    orchestratorTask: (payload, options) => ignoreUnhandled(orchestratorTask(execution, payload, options)),
    hook: (type, payload, options) => ignoreUnhandled(hook(execution, type, payload, options)),
    signal: (name, options) => ignoreUnhandled(signal(execution, name, options)),
    step: (name, work, options) => ignoreUnhandled(step(execution, name, work, options)),
    child: (process, inputs, options) => ignoreUnhandled(child(execution, process, inputs, options)),
    subprocess: (request) => ignoreUnhandled(subprocess(execution, request)),
    parallel: { all: parallelAll, map: parallelMap },
    now: () => host.now(),
    random: () => random.number(),
    uuid: () => random.uuid(),
    log: (...args: [JsonValue] | [string, JsonValue]) => log(execution, args),
    halt: (reason, payload) => halt(execution, reason, payload),
    continueAsNew: (inputs) => continueAsNew(execution, inputs),
    onCleanup: (work) => execution.onCleanup(work),
    patched: (id) => host.patched(id),
    scope: (work) => scope(execution, work),
    shield: (work) => currentScope.run({ ...parentScope(), shielded: true }, work),
  };
}

/** Prevents an unhandled rejection when the process does not await the promise. */
function ignoreUnhandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function log({ host, acceptsRequests }: Execution, args: [JsonValue] | [string, JsonValue]): void {
  if (!acceptsRequests) return;
  const data =
    args.length === 1
      ? { message: jsonCopy(args[0], 'the message') }
      : { label: ownLabel(String(args[0])), message: jsonCopy(args[1], 'the message') };
  host.outbox.push({ type: 'PROCESS_LOG', data });
}

function halt(execution: Execution, reason: string, payload?: JsonObject): never {
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new TypeError(`the reason of halt must be a string that is not blank (got ${typeof reason})`);
  if (payload !== undefined && (typeof payload !== 'object' || payload === null || Array.isArray(payload)))
    throw new TypeError(
      `the payload of halt must be an object of JSON values (got ${kindOf(payload)}); wrap another value, as in { value }`,
    );
  const carried = payload === undefined ? {} : { payload: jsonCopy(payload, 'the payload') as JsonObject };
  execution.end({ kind: 'halted', reason, ...carried });
  throw new ProcessEnded(`halted, ${reason}`);
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);

function continueAsNew(execution: Execution, inputs: JsonValue): never {
  execution.end({ kind: 'continued-as-new', inputs: jsonCopy(inputs, 'the inputs') });
  throw new ProcessEnded('continued as new');
}

async function scope<T>(execution: Execution, work: (scope: CancellationScope) => Promise<T>): Promise<T> {
  const own: Scope = { ...parentScope(), shielded: false };
  return currentScope.run(own, () =>
    work({
      cancel: (reason) => {
        if (typeof reason !== 'string' || reason.trim() === '')
          throw misuse('scope.cancel() requires a non-empty reason');
        execution.cancelScope(own, reason);
      },
    }),
  );
}

function parentScope(): { readonly parent?: Scope } {
  const parent = currentScope.getStore();
  return parent ? { parent } : {};
}
