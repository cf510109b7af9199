/** The system's code of an error (`ENOENT`), whichever realm the error comes from. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What an error says, with its cause where that says more, whichever realm it comes from. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  const cause = 'cause' in error && error.cause ? ` (${messageOf(error.cause)})` : '';
  return `${String(error.message)}${cause}`;
}
