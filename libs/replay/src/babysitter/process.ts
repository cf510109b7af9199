import { isObject, type JsonValue, ReinsError } from '@reins/contracts';
import { CancelledError, errorInfoOf, misuse } from '../errors.ts';
import type { DefinedTask, ProcessContext, TaskBuildContext, TaskDefinition } from '../process-context.ts';
import type { ProcessDefinition, ReturnedHalt } from '../process-definition.ts';
import { withBabysitterBuild } from './definition.ts';
import { EffectCancelledError } from './errors.ts';
import { admission, type Governance } from './governance.ts';
import type { TaskFileTarget } from './task-files.ts';

/** A process function written for babysitter. */
export type BabysitterProcess = (
  inputs: JsonValue | undefined,
  ctx: ProcessContext,
  extra: unknown,
) => Promise<JsonValue | undefined>;

/** The files and policy rules of a process. Without a run directory its tasks cannot write files. */
export interface BabysitterEnvironment extends TaskFileTarget {
  readonly governance?: Governance;
}

/**
 * Wraps an unchanged babysitter process for Reins. As in babysitter, if its code throws, the run waits for an
 * operator.
 */
export function babysitterProcess(
  id: string,
  codeHash: string,
  process: BabysitterProcess,
  environment: BabysitterEnvironment = {},
): ProcessDefinition {
  const run = async (ctx: ProcessContext, inputs: JsonValue) => {
    try {
      // The journal has null for missing inputs. Babysitter passes undefined, so that default parameters apply.
      return await process(inputs ?? undefined, babysitterContext(ctx, environment), {});
    } catch (error) {
      if (isRunFailed(error)) throw runFailed(errorInfoOf(error).message);
      // A cancelled effect is not an error of the code. If it is not caught, the run ends as for any cancelled effect.
      if (error instanceof EffectCancelledError) throw new CancelledError(error.reason, error.effectId);
      throw error;
    }
  };
  const { governance } = environment;
  const admit: ProcessDefinition['admit'] = governance && ((asked) => admission(governance, id, asked));
  return { id, codeHash, onError: 'operator', run, haltOf, ...(admit && { admit }) };
}

/**
 * Supports `return { halt: true, reason }` (or `phase`), the older form of `ctx.halt`. The whole value becomes the
 * payload.
 */
function haltOf(output: JsonValue): ReturnedHalt | undefined {
  if (!isObject(output) || output.halt !== true) return undefined;
  const { reason, phase } = output;
  const text = reason ?? phase;
  const hasReason = typeof text === 'string' && text.trim() !== '';
  return {
    reason: hasReason ? text.trim() : 'legacy-halt',
    payload: output,
    warning: 'the process returned { halt: true }; use ctx.halt(reason, payload)',
  };
}

const RUN_FAILED = 'RunFailedError';

/** The module may have its own copy of the class. */
const isRunFailed = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === RUN_FAILED;

/** Not an error of the code: the process fails its run on purpose. */
const runFailed = (message: string): ReinsError =>
  Object.assign(new ReinsError({ code: 'process_failed', message }), { name: RUN_FAILED });

/** The differences from Reins: cancelled effects have their own error class, and only strings are logged. */
function babysitterContext(ctx: ProcessContext, environment: BabysitterEnvironment): ProcessContext {
  return {
    ...ctx,
    task: (task, args, options) => translated(ctx.task(withBabysitterBuild(task, environment), args, withKey(options))),
    breakpoint: (payload, options) => translated(ctx.breakpoint(payload, options)),
    orchestratorTask: (payload, options) => translated(ctx.orchestratorTask(payload, options)),
    log: (...args: [JsonValue] | [string, JsonValue]) => {
      if (!args.every((part) => typeof part === 'string')) return;
      if (args.length === 1) ctx.log(args[0]);
      else ctx.log(args[0], args[1]);
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

/** Defines a kind of task. @param build describes the work; its `kind` says who does it */
export function defineTask<Args extends JsonValue | undefined>(
  id: string,
  build: (args: Args, context: TaskBuildContext) => TaskDefinition,
): DefinedTask<Args> {
  if (typeof id !== 'string' || id.trim() === '') throw misuse('a task needs a non-empty id');
  if (typeof build !== 'function') throw misuse(`task ${id} needs a build function`);
  return Object.freeze({ id: id.trim(), build });
}
