import { type ErrorCode, ReinsError } from '@reins/contracts';

/** The error for a nondeterministic function that is used outside of a step. */
export function ambient(what: string, instead: string): ReinsError {
  const hint = `Use ${instead}, or do it within ctx.step, whose result is recorded.`;
  return new ReinsError({
    code: 'replay_ambient',
    message: `${what} is nondeterministic and not available outside ctx.step`,
    hint,
  });
}

/** The error for a feature that processes do not have. */
export function refusal(
  what: string,
  hint = 'Use an effect for work outside the process: ctx.task or ctx.effect.',
): ReinsError {
  const code: ErrorCode = 'process_access_refused';
  return new ReinsError({ code, message: `${what} is not available in a process`, hint });
}

/** A function or class that exists, so that code can test for it, and that throws when it is used. */
export function refusing(what: string): () => never {
  return function refused(): never {
    throw refusal(what);
  };
}
