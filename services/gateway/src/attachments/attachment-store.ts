import { Injectable } from '@nestjs/common';
import { Blobs } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import { Settings } from '@reins/service-kit';
import type { StoredAttachment } from './attachments.dto.ts';
import { mediaTypeOfName } from './media-type.ts';

/** A file to attach. */
export interface GivenFile {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** Default: derived from the name. */
  readonly mediaType?: string | undefined;
  /** Where the call has it, for errors. */
  readonly path: string;
}

/** Stores files that requests attach. Equal files are stored once. */
@Injectable()
export class AttachmentStore {
  constructor(
    private readonly blobs: Blobs,
    private readonly settings: Settings,
  ) {}

  /** @throws ReinsError `attachment_invalid`, `payload_too_large` */
  async put({ bytes, name, mediaType, path }: GivenFile): Promise<StoredAttachment> {
    this.#check(bytes, path);
    const { sha256, size } = await this.blobs.put(bytes);
    return { sha256, size, mediaType: mediaType ?? mediaTypeOfName(name), name };
  }

  #check({ byteLength }: Uint8Array, path: string): void {
    const { maxAttachmentBytes } = this.settings.gateway;
    if (byteLength === 0) throw new ReinsError({ code: 'attachment_invalid', message: 'the file is empty', path });
    if (byteLength <= maxAttachmentBytes) return;
    throw new ReinsError({
      code: 'payload_too_large',
      message: `an attachment must have at most ${maxAttachmentBytes} bytes`,
      path,
      hint: 'Add the file to the workspace instead.',
    });
  }
}
