/** What text can be taken out of. */
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
/** Media types that say nothing of what is inside. */
const UNTOLD = ['', 'application/octet-stream', 'binary/octet-stream'];
const TEXT_SUFFIX = /\+(json|xml|yaml)$/;
/** Where a NUL shows that bytes are no text. */
const SNIFFED = 8_192;

/** What an attachment is, by its media type, else by its name, else by whether its bytes read as text; undefined = nothing to read. */
export function documentKind(mediaType: string, name: string, bytes: Uint8Array): DocumentKind | undefined {
  const type = plainType(mediaType);
  const known = BY_MEDIA_TYPE[type];
  if (known !== undefined && known !== 'text') return known;
  if (isTextType(type)) return isText(bytes) ? 'text' : undefined;
  if (!UNTOLD.includes(type)) return undefined;
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension];
  return isText(bytes) ? 'text' : undefined;
}

/** Why what says that it is text, by its media type or its first bytes, is not read as one; undefined = it does not say so, or is read. */
export function unreadableReason(mediaType: string, bytes: Uint8Array): string | undefined {
  if (isText(bytes)) return undefined;
  const type = plainType(mediaType);
  if (hasUtf16Mark(bytes) && (isTextType(type) || UNTOLD.includes(type))) return 'it is UTF-16; text is read as UTF-8';
  return isTextType(type) ? 'it holds bytes that are no UTF-8 text' : undefined;
}

const plainType = (mediaType: string): string => (mediaType.split(';')[0] ?? '').trim().toLowerCase();

function isTextType(type: string): boolean {
  return BY_MEDIA_TYPE[type] === 'text' || type.startsWith('text/') || TEXT_SUFFIX.test(type);
}

function hasUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, SNIFFED).includes(0);
}
