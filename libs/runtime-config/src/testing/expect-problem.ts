import { type Problem, ReinsError } from '@reins/contracts';

/** The problems that a call is refused with. */
export function problemsOf(call: () => unknown): readonly Problem[] {
  try {
    call();
  } catch (error) {
    if (error instanceof ReinsError) return error.problems;
    throw error;
  }
  throw new Error('nothing was refused');
}
