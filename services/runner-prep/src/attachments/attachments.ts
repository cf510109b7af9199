import { type BlobRef, type Problem, problemOf, ReinsError } from '@reins/contracts';
import {
  type AttachmentInput,
  MAX_EXTRACTED_CHARS,
  MAX_INLINE_IMAGE_BYTES,
  MAX_TEXT_BYTES,
} from '@reins/runtime-config';
import { Memo } from '@reins/service-kit';
import type { BlobStore } from '../blob-store.ts';
import type { LaidFile } from '../staging/laid-files.ts';
import { documentKind } from './document-kind.ts';
import { imageType } from './image-type.ts';
import type { TextExtractor } from './text-extractor.ts';

/** Where attachments lie in a run's tree. */
export const ATTACHMENTS = '.reins/attachments';

const MAX_TOGETHER = 128 * 1024 * 1024;
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
const CACHED = 64;
const OCTETS = 'application/octet-stream';
const UNSAFE = /[^\p{L}\p{N}._ -]+/gu;

/** What a preparation needs of the attachments of a request. */
export interface ReadAttachments {
  readonly inputs: readonly AttachmentInput[];
  readonly files: readonly LaidFile[];
  /** What cannot be shown in the prompt, and why; it is in the tree all the same. */
  readonly problems: readonly Problem[];
}

/** What is known of the content of an attachment. The bytes themselves are not kept. */
interface Content {
  readonly size: number;
  readonly kind: 'image' | 'file';
  readonly mediaType: string;
  readonly text?: string;
  readonly problem?: string;
}

/** Reads what came with a request: what kind it is, the text of documents, and where it will lie. The same bytes are read once. */
export class Attachments {
  readonly #blobs: BlobStore;
  readonly #extractor: TextExtractor;
  readonly #contents = new Memo<Content>(CACHED);

  constructor(blobs: BlobStore, extractor: TextExtractor) {
    this.#blobs = blobs;
    this.#extractor = extractor;
  }

  /** @throws ReinsError `attachment_invalid`: one is gone, or all together are too large */
  async read(refs: readonly BlobRef[]): Promise<ReadAttachments> {
    const inputs: AttachmentInput[] = [];
    const files: LaidFile[] = [];
    const problems: Problem[] = [];
    let together = 0;
    for (const [index, ref] of refs.entries()) {
      const name = ref.name ?? `attachment-${index + 1}`;
      const content = await this.#content(ref, name, `attachments[${index}]`);
      together += content.size;
      if (together > MAX_TOGETHER) throw tooLarge();
      const path = `${ATTACHMENTS}/${ref.sha256.slice(0, 12)}-${safeName(name)}`;
      inputs.push({
        id: ref.sha256,
        kind: content.kind,
        name,
        mime_type: content.mediaType,
        size_bytes: content.size,
        workspace_path: path,
        ...(content.text !== undefined && { extracted_text: content.text }),
      });
      files.push({
        path,
        file: { mode: '644', sha256: ref.sha256, size: content.size },
        read: () => this.#blobs.get(ref.sha256),
      });
      if (content.problem !== undefined) problems.push(unreadable(name, content.problem, `attachments[${index}]`));
    }
    return { inputs, files, problems };
  }

  #content(ref: BlobRef, name: string, path: string): Promise<Content> {
    const { sha256, mediaType = '' } = ref;
    return this.#contents.get(`${sha256}\n${mediaType}\n${name}`, async () => {
      const bytes = await this.#blobs.get(sha256).catch((error: unknown) => {
        throw problemOf(error).code === 'blob_not_found' ? gone(sha256, path) : error;
      });
      return { size: bytes.byteLength, ...(await this.#read(bytes, mediaType, name)) };
    });
  }

  async #read(bytes: Uint8Array, mediaType: string, name: string): Promise<Omit<Content, 'size'>> {
    const image = imageType(bytes);
    if (image !== undefined) {
      const fits = bytes.byteLength <= MAX_INLINE_IMAGE_BYTES;
      return { kind: fits ? 'image' : 'file', mediaType: image, ...(!fits && { problem: 'it is larger than 10 MiB' }) };
    }
    const claimsImage = mediaType.startsWith('image/');
    const file = { kind: 'file', mediaType: mediaType === '' || claimsImage ? typeOf(mediaType) : mediaType } as const;
    const kind = documentKind(mediaType, name, bytes);
    if (kind === undefined) return claimsImage ? { ...file, problem: 'it is no PNG, JPEG, GIF or WebP' } : file;
    if (kind === 'text')
      return bytes.byteLength > MAX_TEXT_BYTES
        ? { ...file, problem: TEXT_TOO_LARGE }
        : { ...file, text: textOf(bytes) };
    if (bytes.byteLength > MAX_DOCUMENT_BYTES) return { ...file, problem: 'it is larger than 32 MiB' };
    try {
      // One character more than is shown, so that the prompt says where it was cut.
      return { ...file, text: await this.#extractor.extract({ bytes, kind, maxChars: MAX_EXTRACTED_CHARS + 1 }) };
    } catch (error) {
      return { ...file, problem: (error as Error).message };
    }
  }
}

const TEXT_TOO_LARGE = `it is larger than ${MAX_TEXT_BYTES / 1024} KiB`;

/** What only claims to be an image must not be taken for one by whoever reads the type; a drawing in XML is what it says. */
const typeOf = (claimed: string): string => (claimed.startsWith('image/svg') ? 'text/xml' : OCTETS);

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A name that is a plain file name anywhere. */
function safeName(name: string): string {
  const plain = (name.normalize('NFC').split(/[/\\]/).at(-1) ?? '').replace(UNSAFE, '_').replace(/^[. ]+|[. ]+$/g, '');
  return [...plain].slice(-80).join('') || 'attachment';
}

function unreadable(name: string, why: string, path: string): Problem {
  return {
    code: 'attachment_unreadable',
    message: `'${name}' cannot be shown in the prompt: ${why}`,
    path,
    hint: 'it lies in the workspace folder all the same, and the prompt says where',
  };
}

const gone = (sha256: string, path: string): ReinsError =>
  new ReinsError({ code: 'attachment_invalid', message: `no blob ${sha256} is stored`, path, hint: 'upload it again' });

const tooLarge = (): ReinsError =>
  new ReinsError({
    code: 'attachment_invalid',
    message: `the attachments together are larger than ${MAX_TOGETHER / 1024 / 1024} MiB`,
    path: 'attachments',
    hint: 'attach less, or put the files into the workspace',
  });
