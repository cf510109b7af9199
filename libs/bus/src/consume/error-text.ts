/** What a handler threw, as text. Handlers may throw anything, also what refuses to become text. */
export function errorText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'something that cannot be shown as text';
  }
}
