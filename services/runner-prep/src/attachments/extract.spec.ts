import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { documentKind, unreadableReason } from './document-kind.ts';
import { extractText } from './extract-text.ts';

const file = (name: string): Uint8Array => readFileSync(new URL(`../../testdata/${name}`, import.meta.url));
const text = (name: string, kind: 'pdf' | 'docx' | 'pptx' | 'xlsx', maxChars = 1_000): Promise<string> =>
  extractText({ bytes: file(name), kind, maxChars });

describe('text extraction', () => {
  test('docx', async () => {
    expect(await text('notes.docx', 'docx')).toBe(
      'Quarterly notes\nSales rose by 7 % — thanks to Zoë & <team>.\nRegion \tTotal\nNorth \t42',
    );
  });

  test('xlsx: sheets in order, cells in their columns', async () => {
    expect(await text('totals.xlsx', 'xlsx')).toBe(
      'Sheet Totals:\nRegion\tTotal\nNorth\t42\n\t\t\tfar\n\nSheet Second:\nonly\tTRUE',
    );
  });

  test('pptx: slide by slide', async () => {
    expect(await text('slides.pptx', 'pptx')).toBe(
      'Slide 1:\nOpening\npoint of Opening\n\nSlide 2:\nClosing\npoint of Closing',
    );
  });

  test('pdf: page by page', async () => {
    expect(await text('report.pdf', 'pdf')).toBe('Report of the year\nAll is well.\n\nSecond page');
  });

  test('stops at the limit', async () => {
    expect(await text('notes.docx', 'docx', 9)).toBe('Quarterly');
    expect(await text('report.pdf', 'pdf', 6)).toBe('Report');
  });

  test('rejects an invalid document', async () => {
    await expect(extractText({ bytes: Buffer.from('no zip'), kind: 'docx', maxChars: 9 })).rejects.toThrow();
    await expect(
      extractText({ bytes: zipSync({ 'a.txt': Buffer.from('x') }), kind: 'docx', maxChars: 9 }),
    ).rejects.toThrow('it has no text part');
    const noSheets = zipSync({ 'xl/workbook.xml': Buffer.from('<workbook><sheets/></workbook>') });
    await expect(extractText({ bytes: noSheets, kind: 'xlsx', maxChars: 9 })).rejects.toThrow('no sheet with cells');
    const other = zipSync({ 'a.txt': Buffer.from('x') });
    await expect(extractText({ bytes: other, kind: 'xlsx', maxChars: 9 })).rejects.toThrow('it has no workbook');
    await expect(extractText({ bytes: other, kind: 'pptx', maxChars: 9 })).rejects.toThrow('it has no slides');
    await expect(extractText({ bytes: Buffer.from('%PDF-broken'), kind: 'pdf', maxChars: 9 })).rejects.toThrow();
  });

  test('rejects a decompression bomb', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(65 * 1024 * 1024) }, { level: 9 });
    expect(bomb.byteLength).toBeLessThan(200_000);
    await expect(extractText({ bytes: bomb, kind: 'docx', maxChars: 9 })).rejects.toThrow(
      'too large when decompressed',
    );
  });

  test('rejects recursive entities', async () => {
    const xml = '<!DOCTYPE d [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><w:document><w:t>&b;</w:t></w:document>';
    const bytes = zipSync({ 'word/document.xml': Buffer.from(xml) });
    await expect(extractText({ bytes, kind: 'docx', maxChars: 9 })).rejects.toThrow('entity');
  });
});

test('determines the kind from the media type, the name, or the bytes', () => {
  const words = Buffer.from('words');
  const bytes = Buffer.from([1, 0, 2]);
  expect(documentKind('application/pdf', 'x', bytes)).toBe('pdf');
  expect(documentKind('application/octet-stream', 'Report.DOCX', bytes)).toBe('docx');
  expect(documentKind('text/markdown; charset=utf-8', 'x', words)).toBe('text');
  expect(documentKind('application/ld+json', 'x', words)).toBe('text');
  expect(documentKind('', 'Makefile', words)).toBe('text');
  expect(documentKind('text/plain', 'x', bytes)).toBeUndefined();
  expect(documentKind('', 'constructor', bytes)).toBeUndefined();
  expect(documentKind('application/zip', 'x.docx', bytes)).toBeUndefined();
  fc.assert(fc.property(fc.string(), fc.string(), (type, name) => void documentKind(type, name, bytes)));
});

test('gives a reason for an unreadable text only when the attachment claims to be text', () => {
  const utf16 = Buffer.from('\uFEFFwords', 'utf16le');
  for (const type of ['text/plain', 'text/csv; charset=utf-16', '', 'application/octet-stream'])
    expect(unreadableReason(type, utf16)).toContain('UTF-16');
  expect(unreadableReason('text/plain', utf16.swap16())).toContain('UTF-16');
  expect(unreadableReason('text/plain', Buffer.from([1, 0, 2]))).toContain('not valid UTF-8');
  expect(unreadableReason('application/zip', utf16)).toBeUndefined();
  expect(unreadableReason('', Buffer.from([1, 0, 2]))).toBeUndefined();
  expect(unreadableReason('text/plain', Buffer.from('words'))).toBeUndefined();
});

test('property: a corrupted document is read or rejected, within the limit', async () => {
  const documents = [
    ['docx', file('notes.docx')],
    ['xlsx', file('totals.xlsx')],
    ['pptx', file('slides.pptx')],
  ] as const;
  const damage = fc.array(fc.tuple(fc.nat(40_000), fc.nat(255)), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...documents), damage, async ([kind, intact], changes) => {
      const bytes = Uint8Array.from(intact);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      const read = await extractText({ bytes, kind, maxChars: 50 }).catch(() => '');
      expect(read.length).toBeLessThanOrEqual(50);
    }),
    { numRuns: 100 },
  );
});
