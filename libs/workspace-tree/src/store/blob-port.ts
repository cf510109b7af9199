/**
 * Where a tree store keeps its bytes. A key is `<sha256>` for content (a large file, a pack, a manifest) or `<sha256>.layout`
 * for the small record that says which packs a tree lies in.
 *
 * A `put` under a key that is there already may do nothing where the key is a plain hash, and replaces where it is a layout;
 * what was put is there for every later `has` and `get`, of any process. Nothing that is half written is ever seen.
 */
export interface BlobPort {
  /** Those of the keys that are there. */
  has(keys: readonly string[]): Promise<ReadonlySet<string>>;
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, bytes: Uint8Array): Promise<void>;
}
