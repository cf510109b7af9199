const MAX_NAMED = 3;

/** `child run a`, or `child runs a, b, c and 2 more`. Each run is named once. @param ids at least one */
export function childRunsText(ids: readonly string[]): string {
  const runs = [...new Set(ids)];
  const more = runs.length > MAX_NAMED ? ` and ${runs.length - MAX_NAMED} more` : '';
  return `child run${runs.length > 1 ? 's' : ''} ${runs.slice(0, MAX_NAMED).join(', ')}${more}`;
}
