import { posix } from 'node:path';
import { parseXml, stopReading, unzip } from './office-text.ts';

const WANTED = /^xl\/(workbook\.xml|sharedStrings\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml)$/;

/**
 * The cells of a workbook as stored (a date is a number), sheet by sheet: rows as lines, cells separated by tabs.
 * Throws when there is no workbook or no sheet.
 */
export function xlsxText(bytes: Uint8Array, maxChars: number): string {
  const parts = unzip(bytes, (name) => WANTED.test(name));
  if (!parts.has('xl/workbook.xml')) throw new Error('it has no workbook');
  const shared = sharedStrings(parts.get('xl/sharedStrings.xml') ?? '');
  const sheets = sheetsOf(parts);
  if (!sheets.some(({ path }) => parts.has(path))) throw new Error('it has no sheet with cells');
  let text = '';
  for (const { name, path } of sheets) {
    const xml = parts.get(path);
    if (xml === undefined || text.length >= maxChars) continue;
    text += `${text === '' ? '' : '\n\n'}Sheet ${name}:\n${sheetText(xml, shared, maxChars - text.length)}`;
  }
  return text.slice(0, maxChars);
}

/** The sheets in workbook order. */
function sheetsOf(parts: ReadonlyMap<string, string>): readonly { readonly name: string; readonly path: string }[] {
  const targets = new Map<string, string>();
  parseXml(parts.get('xl/_rels/workbook.xml.rels') ?? '<none/>', {
    open: ({ name, attributes }) => {
      if (name === 'Relationship') targets.set(attributes.Id ?? '', attributes.Target ?? '');
    },
  });
  const sheets: { name: string; path: string }[] = [];
  parseXml(parts.get('xl/workbook.xml') ?? '<none/>', {
    open: ({ name, attributes }) => {
      if (localName(name) !== 'sheet') return;
      const target = targets.get(attributes['r:id'] ?? '') ?? '';
      const path = target.startsWith('/') ? target.slice(1) : posix.join('xl', target);
      sheets.push({ name: attributes.name ?? '', path });
    },
  });
  return sheets;
}

function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  if (xml === '') return strings;
  let current = '';
  let inText = false;
  parseXml(xml, {
    open: ({ name }) => {
      if (localName(name) === 'si') current = '';
      inText = localName(name) === 't';
    },
    text: (chunk) => {
      if (inText) current += chunk;
    },
    close: (name) => {
      inText = false;
      if (localName(name) === 'si') strings.push(current);
    },
  });
  return strings;
}

/** The text of a sheet. Cells keep their columns; empty rows are skipped. */
function sheetText(xml: string, shared: readonly string[], maxChars: number): string {
  let text = '';
  let cells: string[] = [];
  let type = '';
  let value = '';
  let inValue = false;
  parseXml(xml, {
    open: ({ name, attributes }) => {
      const tag = localName(name);
      if (tag === 'row') cells = [];
      if (tag === 'c') {
        type = attributes.t ?? '';
        value = '';
        while (cells.length < Math.min(columnOf(attributes.r ?? ''), MAX_COLUMNS)) cells.push('');
      }
      inValue = tag === 'v' || tag === 't';
    },
    text: (chunk) => {
      if (inValue) value += chunk;
    },
    close: (name) => {
      const tag = localName(name);
      inValue = false;
      if (tag === 'c') cells.push(cellText(type, value, shared));
      if (tag !== 'row') return;
      const line = cells.join('\t').trimEnd();
      if (line !== '') text += `${line}\n`;
      if (text.length > maxChars) stopReading();
    },
  });
  return text.trimEnd().slice(0, maxChars);
}

const MAX_COLUMNS = 200;

function cellText(type: string, value: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  return value;
}

/** `C7` → 2. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? 'A') column = column * 26 + (letter.charCodeAt(0) - 64);
  return column - 1;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
