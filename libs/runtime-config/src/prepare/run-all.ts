import { isReinsError, type Problem, ReinsError } from '@reins/contracts';

type Parts = Readonly<Record<string, () => unknown>>;
type Results<T extends Parts> = { readonly [K in keyof T]: ReturnType<T[K]> };

/**
 * Does parts that do not depend on each other, so that whoever has to mend something is told everything at once.
 * @throws ReinsError with the problems of every part that was refused
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
