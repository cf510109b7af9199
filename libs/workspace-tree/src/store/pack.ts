import { ReinsError } from '@reins/contracts';
import { isSha256, sha256Of } from '../support/hash.ts';

/**
 * A pack is one blob with the concatenated contents of many small files. Its key is the hash of its bytes. The layout
 * of a tree records where each file is in a pack.
 */

/** Files up to this size are stored in packs. */
export const SMALL_BYTES = 64 * 1024;

/** The maximum size of a pack. */
export const PACK_BYTES = 1024 * 1024;

/** The location of a content in a pack. */
export interface PackLocation {
  readonly pack: string;
  readonly offset: number;
  readonly size: number;
}

export interface Pack {
  readonly key: string;
  readonly bytes: Uint8Array;
  /** Content hash → its location in this pack. */
  readonly locations: ReadonlyMap<string, PackLocation>;
}

/** Fills packs one after the other. */
export class Packer {
  #parts: Uint8Array[] = [];
  #entries: { readonly sha256: string; readonly offset: number; readonly size: number }[] = [];
  #size = 0;

  /** Adds a content. Returns the previous pack if the content did not fit into it. */
  add(sha256: string, bytes: Uint8Array): Pack | undefined {
    const full = this.#size > 0 && this.#size + bytes.byteLength > PACK_BYTES ? this.close() : undefined;
    this.#entries.push({ sha256, offset: this.#size, size: bytes.byteLength });
    this.#parts.push(bytes);
    this.#size += bytes.byteLength;
    return full;
  }

  /** Closes the current pack. Undefined when it is empty. */
  close(): Pack | undefined {
    if (this.#entries.length === 0) return undefined;
    const bytes = Buffer.concat(this.#parts, this.#size);
    const key = sha256Of(bytes);
    const locations = new Map(this.#entries.map(({ sha256, offset, size }) => [sha256, { pack: key, offset, size }]));
    this.#parts = [];
    this.#entries = [];
    this.#size = 0;
    return { key, bytes, locations };
  }
}

/** Content hash → location in a pack. Other contents are stored under their own hash. */
export type Layout = ReadonlyMap<string, PackLocation>;

export function layoutKey(treeId: string): string {
  return `${treeId}.layout`;
}

/** `{"version":1,"packs":{"<pack>":[["<sha256>",offset,size],…]}}` */
export function layoutText(layout: Layout): string {
  const packs: Record<string, [string, number, number][]> = {};
  for (const [sha256, { pack, offset, size }] of layout) {
    packs[pack] ??= [];
    packs[pack].push([sha256, offset, size]);
  }
  return JSON.stringify({ version: 1, packs });
}

export function parseLayout(text: string): Layout {
  const corrupt = new ReinsError({ code: 'tree_content_corrupt', message: 'the layout of the tree is corrupt' });
  let value: { version?: unknown; packs?: unknown } | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    throw corrupt;
  }
  if (value?.version !== 1 || typeof value.packs !== 'object' || value.packs === null) throw corrupt;
  const layout = new Map<string, PackLocation>();
  for (const [pack, rows] of Object.entries(value.packs)) {
    if (!isSha256(pack) || !Array.isArray(rows)) throw corrupt;
    for (const row of rows as unknown[]) {
      if (!isRow(row)) throw corrupt;
      const [sha256, offset, size] = row;
      layout.set(sha256, { pack, offset, size });
    }
  }
  return layout;
}

function isRow(row: unknown): row is readonly [string, number, number] {
  return (
    Array.isArray(row) &&
    row.length === 3 &&
    isSha256(row[0]) &&
    [row[1], row[2]].every((number) => Number.isSafeInteger(number) && number >= 0)
  );
}
