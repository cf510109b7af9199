import { isReinsError, type Problem, ReinsError } from '@reins/contracts';

type Parts = Readonly<Record<string, () => unknown>>;
type Results<T extends Parts> = { readonly [K in keyof T]: ReturnType<T[K]> };

/**
 * Runs independent parts and collects their problems, so that all are reported together.
 * @throws ReinsError with the problems of all failed parts
 */
export function runAll<T extends Parts>(parts: T): Results<T> {
  const problems: Problem[] = [];
  const results = Object.entries(parts).map(([name, part]) => {
    try {
      return [name, part()];
    } catch (error) {
      if (!isReinsError(error)) throw error;
      problems.push(...error.problems);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new ReinsError(problems);
  return Object.fromEntries(results) as Results<T>;
}
