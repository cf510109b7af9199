import { type Problem, ReinsError } from '@reins/contracts';

/** The problems of the error that `call` throws. Fails when it does not throw. */
export function problemsOf(call: () => unknown): readonly Problem[] {
  try {
    call();
  } catch (error) {
    if (error instanceof ReinsError) return error.problems;
    throw error;
  }
  throw new Error('the call did not throw');
}
