/** Models of a provider. `complete`: all of them. */
export interface ModelList {
  readonly ids: readonly string[];
  readonly complete: boolean;
}

/**
 * Whether the list has the model; undefined if the list cannot decide it. Endpoints accept names that they do not list:
 * aliases (`…-latest`), names without a tag (`llama3` for `llama3:latest`), and names that match a wildcard.
 */
export function listsModel({ ids, complete }: ModelList, modelId: string): boolean | undefined {
  if (ids.some((id) => id === modelId || id === `${modelId}:latest`)) return true;
  const undecided = !complete || ids.length === 0 || modelId.endsWith('-latest') || ids.some((id) => id.includes('*'));
  return undecided ? undefined : false;
}
