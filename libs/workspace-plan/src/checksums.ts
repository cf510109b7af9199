import { createHash } from 'node:crypto';

/** SHA-256 of a text in UTF-8, as hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * One checksum over named texts. The texts are sorted by name, and every name and text is preceded by its length in
 * bytes, so that two different sets of inputs never have the same checksum.
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
