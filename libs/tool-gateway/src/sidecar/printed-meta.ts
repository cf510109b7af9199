/** The key in the `_meta` of a result of the sidecar. */
const KEY = 'reins/printed';

/**
 * The `_meta` of a result, with everything that the call printed. Parts of it are also sent while the call runs, as the
 * message of its progress, whose number is the length of the text so far. A client may miss the last parts, because it
 * may handle the result first.
 */
export const printedMeta = (text: string): Record<string, unknown> => (text === '' ? {} : { _meta: { [KEY]: text } });

/** What a call printed after the first `received` characters. Workspace code can change the `_meta`, so it is validated. */
export function printedAfter(meta: Readonly<Record<string, unknown>> | undefined, received: number): string {
  const text = meta?.[KEY];
  return typeof text === 'string' ? text.slice(received) : '';
}
