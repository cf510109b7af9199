import { type ErrorCode, ReinsError } from '@reins/contracts';

/** What differs from replay to replay, outside of a step. */
export function ambient(what: string, instead: string): ReinsError {
  const hint = `use ${instead}, or do it within ctx.step, whose result is recorded`;
  return new ReinsError({
    code: 'replay_ambient',
    message: `${what} would not be the same when the run is replayed`,
    hint,
  });
}

/** What a process does not have. */
export function refusal(what: string, hint = 'work with the world is an effect: ctx.task, ctx.effect'): ReinsError {
  const code: ErrorCode = 'process_access_refused';
  return new ReinsError({ code, message: `a process has no ${what}`, hint });
}

/** A function or class that is there, so that it can be looked for, and refuses to be used. */
export function refusing(what: string): () => never {
  return function refused(): never {
    throw refusal(what);
  };
}
