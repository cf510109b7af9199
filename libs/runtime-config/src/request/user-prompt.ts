import { type Attachment, MAX_EXTRACTED_CHARS, MAX_INLINE_IMAGE_BYTES } from './attachments.ts';
import type { HostRequest } from './host-request.ts';

/** The capabilities of the executor that matter for the user's message. */
export interface UserPromptOptions {
  /** Whether images are sent in addition to the text. */
  readonly images: boolean;
}

/**
 * The user's message of a request as one text: instruction, contexts, then attachments. Documents are included with
 * their text, images and folders by name, and other files as a list of paths.
 */
export function userPromptText(
  request: Pick<HostRequest, 'instruction' | 'context_messages' | 'attachments'>,
  options: UserPromptOptions,
): string {
  const sections = [
    request.instruction.trim(),
    contextSection(request.context_messages),
    ...attachmentSections(request.attachments, options),
  ].filter((section) => section !== '');
  return sections.join('\n\n');
}

/** The attachments that are sent as images. */
export function inlineImages(attachments: readonly Attachment[]): readonly Attachment[] {
  return attachments.filter((item) => item.kind === 'image' && item.size_bytes <= MAX_INLINE_IMAGE_BYTES);
}

function contextSection(messages: readonly string[]): string {
  if (messages.length === 0) return '';
  const wrapped = messages.map(
    (message, index) => `[Runtime Context ${index + 1}]\n${message}\n[/Runtime Context ${index + 1}]`,
  );
  return ['Runtime context:', ...wrapped].join('\n\n');
}

function attachmentSections(attachments: readonly Attachment[], options: UserPromptOptions): readonly string[] {
  if (attachments.length === 0) return ['Attachments: none.\nImage inputs: none.'];
  const images = options.images ? inlineImages(attachments) : [];
  const documents = attachments.filter((item) => item.extracted_text !== undefined);
  const folders = attachments.filter((item) => item.kind === 'folder');
  const others = attachments.filter(
    (item) => !images.includes(item) && !documents.includes(item) && !folders.includes(item),
  );
  return [
    ...documents.map(documentSection),
    images.length > 0 ? listed('Attached images:', images) : 'Image inputs: none.',
    listed('Attached folders (their contents are not shown here; read them in the workspace):', folders),
    listed('Other attachments, at these paths of the workspace:', others),
  ];
}

function documentSection(document: Attachment): string {
  const text = document.extracted_text ?? '';
  const cut = text.length > MAX_EXTRACTED_CHARS;
  return [
    `Attached document: ${document.name} (${document.mime_type}, ${document.workspace_path})`,
    cut ? text.slice(0, MAX_EXTRACTED_CHARS) : text,
    ...(cut ? [`(cut after ${MAX_EXTRACTED_CHARS} characters; the rest is in the file)`] : []),
  ].join('\n');
}

function listed(heading: string, items: readonly Attachment[]): string {
  if (items.length === 0) return '';
  return [heading, ...items.map((item) => `- ${item.name} (${item.mime_type}): ${item.workspace_path}`)].join('\n');
}
