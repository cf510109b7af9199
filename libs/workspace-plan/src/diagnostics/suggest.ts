import { nearest } from '@reins/contracts';

/** Advice that suggests the closest known name, or `otherwise`. It is computed only when needed. */
export function didYouMean(
  name: string,
  known: () => Iterable<string>,
  otherwise?: string,
  format: (suggestion: string) => string = (suggestion) => suggestion,
): () => string | undefined {
  return () => {
    const suggestion = nearest(name, known());
    return suggestion === undefined ? otherwise : `did you mean '${format(suggestion)}'?`;
  };
}
