import { createHash } from 'node:crypto';

/** SHA-256 of a text's UTF-8 bytes, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * One sum over named texts: sorted by name, every name and text preceded by its length in bytes, so that no two different
 * sets of inputs have the same sum.
 */
export function checksumOf(inputs: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  const names = [...inputs.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  for (const name of names) {
    for (const text of [name, inputs.get(name) ?? '']) {
      hash.update(`${Buffer.byteLength(text, 'utf8')}\n`).update(text, 'utf8');
    }
  }
  return hash.digest('hex');
}
