import { type BlobRef, type Problem, problemOf, ReinsError } from '@reins/contracts';
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

/** Where attachments lie in a run's tree. */
export const ATTACHMENTS = '.reins/attachments';

const MAX_TOGETHER = 128 * 1024 * 1024;
/** Well within what a preparation may take. */
const TOGETHER_MS = 40_000;
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
const CACHED = 64;
/** File systems take 255 bytes; the hash in front of it needs some. */
const MAX_NAME_BYTES = 200;
const OCTETS = 'application/octet-stream';
const UNSAFE = /[^\p{L}\p{N}._ -]+/gu;

/** What a preparation needs of the attachments of a request. */
export interface ReadAttachments {
  readonly inputs: readonly AttachmentInput[];
  readonly files: readonly AddedFile[];
  /** What cannot be shown in the prompt, and why; it is in the tree all the same. */
  readonly problems: readonly Problem[];
}

/** What an attachment is, by its bytes. They themselves are not kept. */
interface Content {
  readonly size: number;
  readonly kind: 'image' | 'file';
  readonly mediaType: string;
  /** Where its text is to be taken out. */
  readonly document?: Exclude<DocumentKind, 'text'>;
  readonly text?: string;
  readonly problem?: string;
}

type Text = Pick<Content, 'text' | 'problem'>;

export interface AttachmentPorts {
  readonly blobs: BlobStore;
  readonly extractor: Pick<TextExtractor, 'extract'>;
  /** Milliseconds that the documents of one request may take together. */
  readonly totalMs?: number;
}

/** Reads what came with a request: what kind it is, the text of documents, and where it will lie. The same bytes are read once. */
export class Attachments {
  readonly #ports: AttachmentPorts;
  readonly #contents = new Memo<Content>(CACHED);
  readonly #texts = new Memo<Text>(CACHED);

  constructor(ports: AttachmentPorts) {
    this.#ports = ports;
  }

  /** @throws ReinsError `attachment_invalid`: one is gone, or all together are too large */
  async read(refs: readonly BlobRef[]): Promise<ReadAttachments> {
    const inputs: AttachmentInput[] = [];
    const files: AddedFile[] = [];
    const problems: Problem[] = [];
    const until = performance.now() + (this.#ports.totalMs ?? TOGETHER_MS);
    let together = 0;
    for (const [index, ref] of refs.entries()) {
      const at = `attachments[${index}]`;
      const name = ref.name ?? `attachment-${index + 1}`;
      const content = await this.#content(ref, name, at);
      together += content.size;
      if (together > MAX_TOGETHER) throw tooLarge();
      const { text, problem } = await this.#textOf(ref.sha256, content, until);
      const path = `${ATTACHMENTS}/${ref.sha256.slice(0, 12)}-${safeName(name)}`;
      inputs.push({
        id: ref.sha256,
        kind: content.kind,
        name,
        mime_type: content.mediaType,
        size_bytes: content.size,
        workspace_path: path,
        ...(text !== undefined && { extracted_text: text }),
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
        throw problemOf(error).code === 'blob_not_found' ? gone(sha256, path) : error;
      });
      return { size: bytes.byteLength, ...contentOf(bytes, mediaType, name) };
    });
  }

  /** The text of a document that is not there in time is there for the next stage. */
  async #textOf(sha256: string, content: Content, until: number): Promise<Text> {
    const { document } = content;
    if (document === undefined) return content;
    const text = this.#texts.get(`${sha256}\n${document}`, () => this.#extract(sha256, document));
    let timeout: NodeJS.Timeout | undefined;
    const late = new Promise<Text>((resolve) => {
      timeout = setTimeout(
        () => resolve({ problem: 'it was not read in time' }),
        Math.max(0, until - performance.now()),
      );
    });
    return Promise.race([text, late]).finally(() => clearTimeout(timeout));
  }

  async #extract(sha256: string, kind: Exclude<DocumentKind, 'text'>): Promise<Text> {
    const bytes = await this.#ports.blobs.get(sha256);
    try {
      // One character more than is shown, so that the prompt says where it was cut.
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
  const file = { kind: 'file', mediaType: mediaType === '' || claimsImage ? typeOf(mediaType) : mediaType } as const;
  const kind = documentKind(mediaType, name, bytes);
  if (kind === undefined) {
    const problem = claimsImage ? 'it is no PNG, JPEG, GIF or WebP' : unreadableReason(mediaType, bytes);
    return { ...file, ...(problem !== undefined && { problem }) };
  }
  if (kind !== 'text') {
    const tooLong = bytes.byteLength > MAX_DOCUMENT_BYTES;
    return tooLong ? { ...file, problem: 'it is larger than 32 MiB' } : { ...file, document: kind };
  }
  if (bytes.byteLength > MAX_TEXT_BYTES) return { ...file, problem: TEXT_TOO_LARGE };
  return { ...file, text: new TextDecoder().decode(bytes) };
}

const TEXT_TOO_LARGE = `it is larger than ${MAX_TEXT_BYTES / 1024} KiB`;

/** What only claims to be an image must not be taken for one by whoever reads the type; a drawing in XML is what it says. */
const typeOf = (claimed: string): string => (claimed.startsWith('image/svg') ? 'text/xml' : OCTETS);

/** A name that is a plain file name anywhere: its end, which has the extension, where it is too long. */
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
