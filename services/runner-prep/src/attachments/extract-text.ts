import type { DocumentKind } from './document-kind.ts';
import { docxText, pptxText } from './office-text.ts';
import { xlsxText } from './spreadsheet-text.ts';

/** A request to extract the text of a document. */
export interface TextJob {
  readonly bytes: Uint8Array;
  readonly kind: Exclude<DocumentKind, 'text'>;
  readonly maxChars: number;
}

const MAX_PAGES = 500;

/** Extracts the text of a document, up to `maxChars`. Intended for a worker thread. Throws the error of the parser. */
export async function extractText({ bytes, kind, maxChars }: TextJob): Promise<string> {
  switch (kind) {
    case 'pdf':
      return pdfText(bytes, maxChars);
    case 'docx':
      return docxText(bytes, maxChars);
    case 'pptx':
      return pptxText(bytes, maxChars);
    case 'xlsx':
      return xlsxText(bytes, maxChars);
  }
}

/** Extracts page by page, and stops at the limit. */
async function pdfText(bytes: Uint8Array, maxChars: number): Promise<string> {
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  let text = '';
  for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES) && text.length < maxChars; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
    text += `${text === '' ? '' : '\n\n'}${lines.trim()}`;
    page.cleanup();
  }
  await document.loadingTask.destroy();
  return text.trim().slice(0, maxChars);
}
