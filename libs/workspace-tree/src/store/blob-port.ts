/**
 * The blob storage of a tree store. A key is `<sha256>` for content (a large file, a pack, a manifest) or
 * `<sha256>.layout` for the record that locates the small files of a tree in packs.
 *
 * A `put` for an existing key may do nothing if the key is a plain hash, and must replace a layout. After a `put`,
 * every process sees the blob with `has` and `get`. Partially written blobs are never visible.
 */
export interface BlobPort {
  /** The subset of the keys that exist. */
  has(keys: readonly string[]): Promise<ReadonlySet<string>>;
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, bytes: Uint8Array): Promise<void>;
}
