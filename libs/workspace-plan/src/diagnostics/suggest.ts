import { nearest } from '@reins/contracts';

/** A lazy hint: the closest known name, otherwise `fallback`. */
export function didYouMean(
  name: string,
  known: () => Iterable<string>,
  fallback?: string,
  format: (suggestion: string) => string = (suggestion) => suggestion,
): () => string | undefined {
  return () => {
    const suggestion = nearest(name, known());
    return suggestion === undefined ? fallback : `did you mean '${format(suggestion)}'?`;
  };
}
