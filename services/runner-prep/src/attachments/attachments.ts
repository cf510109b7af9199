import { type BlobRef, defined, type Problem, problemOf, ReinsError } from '@reins/contracts';
import {
  type AttachmentInput,
  MAX_EXTRACTED_CHARS,
  MAX_INLINE_IMAGE_BYTES,
  MAX_TEXT_BYTES,
} from '@reins/runtime-config';
import { Memo } from '@reins/service-kit';
import type { BlobStore } from '../blob-store.ts';
import type { AddedFile } from '../staging/added-files.ts';
import { type DocumentKind, documentKind, unreadableReason } from './document-kind.ts';
import { imageType } from './image-type.ts';
import type { TextExtractor } from './text-extractor.ts';

/** The folder for attachments in a run's tree. */
export const ATTACHMENTS = '.reins/attachments';

const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
/** Well within the deadline of a preparation. */
const EXTRACTION_MS = 40_000;
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
const MAX_CACHED_ATTACHMENTS = 64;
/** File systems allow 255 bytes; the rest is for the hash before the name. */
const MAX_NAME_BYTES = 200;
const OCTETS = 'application/octet-stream';
const UNSAFE = /[^\p{L}\p{N}._ -]+/gu;

/** The attachments of a request, as the preparation needs them. */
export interface ReadAttachments {
  readonly inputs: readonly AttachmentInput[];
  readonly files: readonly AddedFile[];
  /** Attachments that cannot be shown in the prompt, and why. They are still in the tree. */
  readonly problems: readonly Problem[];
}

/** What was derived from the bytes of an attachment. The bytes themselves are not cached. */
interface Content {
  readonly size: number;
  readonly kind: 'image' | 'file';
  readonly mediaType: string;
  /** Set when text has to be extracted from a document. */
  readonly document?: Exclude<DocumentKind, 'text'>;
  readonly text?: string;
  readonly problem?: string;
}

type TextResult = Pick<Content, 'text' | 'problem'>;

export interface AttachmentPorts {
  readonly blobs: BlobStore;
  readonly extractor: Pick<TextExtractor, 'extract'>;
  /** Milliseconds for the text extraction of one request. */
  readonly totalMs?: number;
}

/** Reads the attachments of a request: type, text of documents, and path in the tree. Results are cached by content. */
export class Attachments {
  readonly #ports: AttachmentPorts;
  readonly #contents = new Memo<Content>(MAX_CACHED_ATTACHMENTS);
  readonly #texts = new Memo<TextResult>(MAX_CACHED_ATTACHMENTS);

  constructor(ports: AttachmentPorts) {
    this.#ports = ports;
  }

  /** @throws ReinsError `attachment_invalid` when a blob is missing, or the attachments are too large in total */
  async read(refs: readonly BlobRef[]): Promise<ReadAttachments> {
    const inputs: AttachmentInput[] = [];
    const files: AddedFile[] = [];
    const problems: Problem[] = [];
    const deadline = performance.now() + (this.#ports.totalMs ?? EXTRACTION_MS);
    let totalBytes = 0;
    for (const [index, ref] of refs.entries()) {
      const at = `attachments[${index}]`;
      const name = ref.name ?? `attachment-${index + 1}`;
      const content = await this.#content(ref, name, at);
      totalBytes += content.size;
      if (totalBytes > MAX_TOTAL_BYTES) throw tooLarge();
      const { text, problem } = await this.#textOf(ref.sha256, content, deadline);
      const path = `${ATTACHMENTS}/${ref.sha256.slice(0, 12)}-${safeName(name)}`;
      inputs.push({
        id: ref.sha256,
        kind: content.kind,
        name,
        mime_type: content.mediaType,
        size_bytes: content.size,
        workspace_path: path,
        ...defined({ extracted_text: text }),
      });
      const read = (): Promise<Uint8Array> => this.#ports.blobs.get(ref.sha256);
      files.push({ path, file: { mode: '644', sha256: ref.sha256, size: content.size }, read });
      if (problem !== undefined) problems.push(unreadable(name, problem, at));
    }
    return { inputs, files, problems };
  }

  #content({ sha256, mediaType = '' }: BlobRef, name: string, path: string): Promise<Content> {
    return this.#contents.get(`${sha256}\n${mediaType}\n${name}`, async () => {
      const bytes = await this.#ports.blobs.get(sha256).catch((error: unknown) => {
        throw problemOf(error).code === 'blob_not_found' ? missingBlob(sha256, path) : error;
      });
      return { size: bytes.byteLength, ...contentOf(bytes, mediaType, name) };
    });
  }

  /** Waits for the text until the deadline. Text that arrives after the deadline is cached for the next stage. */
  async #textOf(sha256: string, content: Content, deadline: number): Promise<TextResult> {
    const { document } = content;
    if (document === undefined) return content;
    const text = this.#texts.get(`${sha256}\n${document}`, () => this.#extract(sha256, document));
    let timeout: NodeJS.Timeout | undefined;
    const timedOut = new Promise<TextResult>((resolve) => {
      timeout = setTimeout(
        () => resolve({ problem: 'its text was not extracted in time' }),
        Math.max(0, deadline - performance.now()),
      );
    });
    return Promise.race([text, timedOut]).finally(() => clearTimeout(timeout));
  }

  async #extract(sha256: string, kind: Exclude<DocumentKind, 'text'>): Promise<TextResult> {
    const bytes = await this.#ports.blobs.get(sha256);
    try {
      // One more character than is shown, so that the prompt notes that the text was cut.
      return { text: await this.#ports.extractor.extract({ bytes, kind, maxChars: MAX_EXTRACTED_CHARS + 1 }) };
    } catch (error) {
      return { problem: (error as Error).message };
    }
  }
}

function contentOf(bytes: Uint8Array, mediaType: string, name: string): Omit<Content, 'size'> {
  const image = imageType(bytes);
  if (image !== undefined) {
    const fits = bytes.byteLength <= MAX_INLINE_IMAGE_BYTES;
    return { kind: fits ? 'image' : 'file', mediaType: image, ...(!fits && { problem: 'it is larger than 10 MiB' }) };
  }
  const claimsImage = mediaType.startsWith('image/');
  const file = {
    kind: 'file',
    mediaType: mediaType === '' || claimsImage ? neutralTypeOf(mediaType) : mediaType,
  } as const;
  const kind = documentKind(mediaType, name, bytes);
  if (kind === undefined) {
    const problem = claimsImage ? 'it is not a PNG, JPEG, GIF or WebP image' : unreadableReason(mediaType, bytes);
    return { ...file, ...defined({ problem }) };
  }
  if (kind !== 'text') {
    const tooLong = bytes.byteLength > MAX_DOCUMENT_BYTES;
    return tooLong ? { ...file, problem: 'it is larger than 32 MiB' } : { ...file, document: kind };
  }
  if (bytes.byteLength > MAX_TEXT_BYTES) return { ...file, problem: TEXT_TOO_LARGE };
  return { ...file, text: new TextDecoder().decode(bytes) };
}

const TEXT_TOO_LARGE = `it is larger than ${MAX_TEXT_BYTES / 1024} KiB`;

/** A file that falsely claims to be an image gets a neutral type. SVG is XML text. */
const neutralTypeOf = (claimed: string): string => (claimed.startsWith('image/svg') ? 'text/xml' : OCTETS);

/** Converts a name to a plain file name. A name that is too long keeps its end, with the extension. */
function safeName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const characters = [...last.replace(UNSAFE, '_').replace(/^[. ]+|[. ]+$/g, '')];
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters.shift();
  return characters.join('') || 'attachment';
}

function unreadable(name: string, why: string, path: string): Problem {
  return {
    code: 'attachment_unreadable',
    message: `'${name}' cannot be shown in the prompt: ${why}`,
    path,
    hint: 'Read the file in the workspace folder; the prompt contains its path.',
  };
}

const missingBlob = (sha256: string, path: string): ReinsError =>
  new ReinsError({
    code: 'attachment_invalid',
    message: `blob ${sha256} does not exist`,
    path,
    hint: 'Upload the file again.',
  });

const tooLarge = (): ReinsError =>
  new ReinsError({
    code: 'attachment_invalid',
    message: `the attachments are larger than ${MAX_TOTAL_BYTES / 1024 / 1024} MiB in total`,
    path: 'attachments',
    hint: 'Attach fewer files, or add them to the workspace.',
  });
