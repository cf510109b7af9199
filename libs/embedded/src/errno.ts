/** Returns the system error code (`ENOENT`), also for an error from another realm. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the message of an error followed by its causes, also for an error from another realm. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  const cause = 'cause' in error && error.cause ? ` (${messageOf(error.cause)})` : '';
  return `${String(error.message)}${cause}`;
}
