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
  const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  const known = BY_MEDIA_TYPE[type];
  if (known !== undefined && known !== 'text') return known;
  if (known === 'text' || type.startsWith('text/') || TEXT_SUFFIX.test(type)) return isText(bytes) ? 'text' : undefined;
  if (!UNTOLD.includes(type)) return undefined;
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension];
  return isText(bytes) ? 'text' : undefined;
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, SNIFFED).includes(0);
}
