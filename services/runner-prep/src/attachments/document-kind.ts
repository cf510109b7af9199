/** The kinds of documents from which text can be extracted. */
export type DocumentKind = 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'text';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const BY_MEDIA_TYPE: Readonly<Record<string, DocumentKind>> = {
  'application/pdf': 'pdf',
  [`${OFFICE}.wordprocessingml.document`]: 'docx',
  [`${OFFICE}.presentationml.presentation`]: 'pptx',
  [`${OFFICE}.spreadsheetml.sheet`]: 'xlsx',
  'application/json': 'text',
  'application/xml': 'text',
  'application/yaml': 'text',
  'application/x-yaml': 'text',
  'application/toml': 'text',
  'application/javascript': 'text',
  'application/x-ndjson': 'text',
  'application/sql': 'text',
};

const BY_EXTENSION: Readonly<Record<string, DocumentKind>> = { pdf: 'pdf', docx: 'docx', pptx: 'pptx', xlsx: 'xlsx' };
/** Media types that say nothing about the content. */
const UNSPECIFIC_TYPES = ['', 'application/octet-stream', 'binary/octet-stream'];
const TEXT_SUFFIX = /\+(json|xml|yaml)$/;
/** Text does not contain a NUL within this number of bytes. */
const SNIFFED_BYTES = 8_192;

/** The kind of a document, from its media type, its name, or its bytes. Undefined when there is no text to extract. */
export function documentKind(mediaType: string, name: string, bytes: Uint8Array): DocumentKind | undefined {
  const type = plainType(mediaType);
  const known = BY_MEDIA_TYPE[type];
  if (known !== undefined && known !== 'text') return known;
  if (isTextType(type)) return isText(bytes) ? 'text' : undefined;
  if (!UNSPECIFIC_TYPES.includes(type)) return undefined;
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension];
  return isText(bytes) ? 'text' : undefined;
}

/**
 * Why an attachment that claims to be text cannot be read as text. Undefined when it is text or does not claim to be.
 */
export function unreadableReason(mediaType: string, bytes: Uint8Array): string | undefined {
  if (isText(bytes)) return undefined;
  const type = plainType(mediaType);
  if (hasUtf16Mark(bytes) && (isTextType(type) || UNSPECIFIC_TYPES.includes(type)))
    return 'it is UTF-16, and only UTF-8 is supported';
  return isTextType(type) ? 'it is not valid UTF-8 text' : undefined;
}

const plainType = (mediaType: string): string => (mediaType.split(';')[0] ?? '').trim().toLowerCase();

function isTextType(type: string): boolean {
  return BY_MEDIA_TYPE[type] === 'text' || type.startsWith('text/') || TEXT_SUFFIX.test(type);
}

function hasUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, SNIFFED_BYTES).includes(0);
}
