import type { BlobRef } from '@reins/contracts';

/** What a preparation asks of the store of bodies. */
export interface BlobStore {
  /** @throws ReinsError `blob_not_found`, `blob_corrupt` */
  readonly get: (ref: string | BlobRef) => Promise<Uint8Array>;
  readonly put: (bytes: Uint8Array, how?: { readonly isNew?: boolean }) => Promise<BlobRef>;
}
