/** Converts anything that a handler threw to text. The conversion itself may throw. */
export function errorText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'a value that cannot be converted to text';
  }
}
