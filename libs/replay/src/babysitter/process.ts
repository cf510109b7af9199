import { isObject, type JsonValue, ReinsError } from '@reins/contracts';
import { CancelledError, errorInfoOf, misuse } from '../errors.ts';
import type { DefinedTask, ProcessContext, TaskBuildContext, TaskDefinition } from '../process-context.ts';
import type { ProcessDefinition, ReturnedHalt } from '../process-definition.ts';
import { builtAsThere } from './definition.ts';
import { EffectCancelledError } from './errors.ts';
import { type Governance, governed } from './governance.ts';
import type { FilePlace } from './task-files.ts';

/** A process function as it is written for babysitter. */
export type BabysitterProcess = (
  inputs: JsonValue | undefined,
  ctx: ProcessContext,
  extra: unknown,
) => Promise<JsonValue | undefined>;

/** What a process has around it. Without a run directory its tasks can keep no files. */
export interface Surroundings extends FilePlace {
  readonly governance?: Governance;
}

/**
 * A process of ours from one that was written for babysitter, unchanged. A mistake in it waits for an operator, as there.
 */
export function babysitterProcess(
  id: string,
  codeHash: string,
  process: BabysitterProcess,
  surroundings: Surroundings = {},
): ProcessDefinition {
  const run = async (ctx: ProcessContext, inputs: JsonValue) => {
    try {
      // The journal has null for no inputs; there a process is given nothing, so that the defaults of its parameters hold.
      return await process(inputs ?? undefined, babysitterContext(ctx, id, surroundings), {});
    } catch (error) {
      if (isRunFailed(error)) throw runFailed(errorInfoOf(error).message);
      // Nobody's code was wrong: uncaught, it ends the run as every other cancelled effect does.
      if (error instanceof EffectCancelledError) throw new CancelledError(error.reason, error.effectId);
      throw error;
    }
  };
  return { id, codeHash, onError: 'operator', run, haltOf };
}

/** `return { halt: true, reason }` (or `phase`) is the older form of `ctx.halt`: the whole value is what it has to say. */
function haltOf(output: JsonValue): ReturnedHalt | undefined {
  if (!isObject(output) || output.halt !== true) return undefined;
  const { reason, phase } = output;
  const said = reason ?? phase;
  const isSaid = typeof said === 'string' && said.trim() !== '';
  return {
    reason: isSaid ? said.trim() : 'legacy-halt',
    payload: output,
    warning: 'the process returned { halt: true }; use ctx.halt(reason, payload)',
  };
}

const RUN_FAILED = 'RunFailedError';

/** The module may have brought its own copy of the class. */
const isRunFailed = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === RUN_FAILED;

/** No mistake of the process: it says that its run has failed. */
const runFailed = (message: string): ReinsError =>
  Object.assign(new ReinsError({ code: 'process_failed', message }), { name: RUN_FAILED });

/** What differs there: cancelled effects have an error of their own, and only texts are logged. */
function babysitterContext(ctx: ProcessContext, processId: string, surroundings: Surroundings): ProcessContext {
  const { governance } = surroundings;
  const known = <Args>(task: DefinedTask<Args>): DefinedTask<Args> => {
    const built = builtAsThere(task, surroundings);
    return governance ? governed(built, { governance, processId, log: ctx.log }) : built;
  };
  return {
    ...ctx,
    task: (task, args, options) => translated(ctx.task(known(task), args, withKey(options))),
    breakpoint: (payload, options) => translated(ctx.breakpoint(payload, options)),
    orchestratorTask: (payload, options) => translated(ctx.orchestratorTask(payload, options)),
    log: (...said: [JsonValue] | [string, JsonValue]) => {
      if (!said.every((part) => typeof part === 'string')) return;
      if (said.length === 1) ctx.log(said[0]);
      else ctx.log(said[0], said[1]);
    },
  };
}

/** `stableKey` is the older name of `key`. */
function withKey<T extends { readonly key?: string }>(
  options: (T & { readonly stableKey?: string }) | undefined,
): T | undefined {
  const { stableKey, ...rest } = options ?? {};
  return stableKey === undefined ? options : ({ key: stableKey, ...rest } as unknown as T);
}

function translated<T>(promise: Promise<T>): Promise<T> {
  const outer = promise.catch((error: unknown) => {
    if (error instanceof CancelledError && error.effectId !== undefined)
      throw new EffectCancelledError(error.effectId, error.reason);
    throw error;
  });
  outer.catch(() => undefined);
  return outer;
}

/**
 * A kind of work by its id.
 * @param build describes the work; its `kind` says who does it
 */
export function defineTask<Args extends JsonValue | undefined>(
  id: string,
  build: (args: Args, context: TaskBuildContext) => TaskDefinition,
): DefinedTask<Args> {
  if (typeof id !== 'string' || id.trim() === '') throw misuse('a task needs an id that is not blank');
  if (typeof build !== 'function') throw misuse(`task ${id} needs a build function`);
  return Object.freeze({ id: id.trim(), build });
}
