/** A media type of RFC 6838 with parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(\s*;\s*[^;=\s]+=[^;]+)*$/i;

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Media types of common attachments. Other files default to `application/octet-stream`. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
  ['pdf', 'application/pdf'],
  ['docx', `${OFFICE}.wordprocessingml.document`],
  ['pptx', `${OFFICE}.presentationml.presentation`],
  ['xlsx', `${OFFICE}.spreadsheetml.sheet`],
  ['txt', 'text/plain'],
  ['log', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['xml', 'application/xml'],
  ['json', 'application/json'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['zip', 'application/zip'],
]);

export const isMediaType = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 200 && MEDIA_TYPE.test(value);

/** Derives the media type from the file extension. */
export function mediaTypeOfName(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return BY_EXTENSION.get(extension) ?? 'application/octet-stream';
}
