import { posix } from 'node:path';
import { type Problem, ReinsError } from '@reins/contracts';

/** A file that is attached to the user's message. */
export interface Attachment {
  readonly id: string;
  readonly kind: 'image' | 'file' | 'folder';
  readonly name: string;
  readonly mime_type: string;
  readonly size_bytes: number;
  /** Its path in the workspace. */
  readonly workspace_path: string;
  /** The text of a document, if it could be extracted. */
  readonly extracted_text?: string;
}

/** An attachment before normalisation. The kind follows from the media type. */
export type AttachmentInput = Omit<Attachment, 'kind'> & { readonly kind?: Attachment['kind'] };

/** The maximum size of an image in a prompt. A larger image is listed as a file. */
export const MAX_INLINE_IMAGE_BYTES = 10 * 1024 * 1024;
/** The maximum size of a plain text that is read. */
export const MAX_TEXT_BYTES = 128 * 1024;
/** The maximum number of characters of an extracted text in a prompt. */
export const MAX_EXTRACTED_CHARS = 120_000;

/**
 * Completes and validates attachments.
 * @throws ReinsError `attachment_invalid` with all problems
 */
export function normalizeAttachments(inputs: readonly AttachmentInput[]): readonly Attachment[] {
  const problems: Problem[] = [];
  const attachments = inputs.map((input, index) => {
    problems.push(...problemsOf(input, `attachments[${index}]`));
    return { ...input, kind: input.kind ?? kindOf(input.mime_type) };
  });
  if (problems.length > 0) throw new ReinsError(problems);
  return attachments;
}

function kindOf(mimeType: string): Attachment['kind'] {
  if (mimeType.startsWith('image/')) return 'image';
  return mimeType === 'inode/directory' ? 'folder' : 'file';
}

function problemsOf(input: AttachmentInput, path: string): readonly Problem[] {
  const required = ['id', 'name', 'mime_type', 'workspace_path'] as const;
  if (required.some((field) => typeof input[field] !== 'string' || input[field].trim() === '')) {
    const message = 'attachments entries must include id, name, mime_type, and workspace_path';
    return [{ code: 'attachment_invalid', message, path }];
  }
  const clean = posix.normalize(input.workspace_path);
  if (!posix.isAbsolute(clean) && !clean.split('/').includes('..')) return [];
  const message = `attachment path '${input.workspace_path}' resolves outside workspace boundary`;
  return [{ code: 'attachment_invalid', message, path: `${path}.workspace_path` }];
}
