import type { BlobRef } from '@reins/contracts';

/** The part of the blob store that a preparation uses. */
export interface BlobStore {
  /** @throws ReinsError `blob_not_found`, `blob_corrupt` */
  readonly get: (ref: string | BlobRef) => Promise<Uint8Array>;
  readonly put: (bytes: Uint8Array, how?: { readonly isNew?: boolean }) => Promise<BlobRef>;
}
