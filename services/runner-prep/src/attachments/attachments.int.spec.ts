import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { zipSync } from 'fflate';
import { PrepFixture } from '../testing/prep-fixture.ts';
import { Attachments } from './attachments.ts';
import { TextExtractor } from './text-extractor.ts';

const file = (name: string): Buffer => readFileSync(new URL(`../../testdata/${name}`, import.meta.url));
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let prep: PrepFixture;
beforeAll(async () => {
  prep = await PrepFixture.start();
});
afterAll(async () => {
  await prep.stop();
});

interface Shown {
  readonly name: string;
  readonly kind: string;
  readonly mime_type: string;
  readonly workspace_path: string;
  readonly extracted_text?: string;
}

async function attached(parts: readonly { name?: string; mediaType?: string; content: Uint8Array }[], input = 'Look.') {
  const attachments = await Promise.all(
    parts.map(async ({ content, ...ref }) => ({ ...(await prep.put(content)), ...ref }) as unknown as JsonObject),
  );
  const result = await prep.prepared({ input: { input, attachments } });
  return { ...result, attachments: result.request.attachments as Shown[] };
}

describe('attachments', () => {
  test('includes documents with their text, images as images, and other files by name; all are in the tree of the stage', async () => {
    const { answer, attachments } = await attached([
      { name: 'report.pdf', mediaType: 'application/pdf', content: file('report.pdf') },
      { name: 'notes.docx', content: file('notes.docx') },
      { name: 'totals.xlsx', content: file('totals.xlsx') },
      { name: 'slides.pptx', content: file('slides.pptx') },
      { name: 'read me/../../ü.md', mediaType: 'text/markdown', content: Buffer.from('# Hi') },
      { name: 'dot.png', mediaType: 'image/png', content: PNG },
      { name: 'data.bin', mediaType: 'application/zip', content: Buffer.from([0, 1, 2]) },
    ]);
    expect(attachments.map(({ kind, extracted_text: text }) => [kind, text?.slice(0, 12)])).toEqual([
      ['file', 'Report of th'],
      ['file', 'Quarterly no'],
      ['file', 'Sheet Totals'],
      ['file', 'Slide 1:\nOpe'],
      ['file', '# Hi'],
      ['image', undefined],
      ['file', undefined],
    ]);
    const tree = await prep.openTree(String(answer.tree));
    for (const { workspace_path: path } of attachments) expect(tree.manifest.has(path)).toBe(true);
    expect(attachments[4]?.workspace_path).toMatch(/^\.reins\/attachments\/[0-9a-f]{12}-ü\.md$/);
    expect(Buffer.from(await tree.read(attachments[5]?.workspace_path ?? ''))).toEqual(PNG);
    expect(answer.warnings).toEqual([]);
  });

  test('lists an unreadable attachment with the reason, and does not treat a false image as an image', async () => {
    const { answer, attachments } = await attached([
      { name: 'broken.docx', content: Buffer.from('no zip') },
      { name: 'photo.png', mediaType: 'image/png', content: Buffer.from([1, 0, 2]) },
      { name: 'drawing.svg', mediaType: 'image/svg+xml', content: Buffer.from('<svg/>') },
      { name: 'long.txt', mediaType: 'text/plain', content: Buffer.alloc(200_000, 'x') },
    ]);
    expect(attachments.map(({ kind, mime_type: type, extracted_text: text }) => [kind, type, text])).toEqual([
      ['file', 'application/octet-stream', undefined],
      ['file', 'application/octet-stream', undefined],
      ['file', 'text/xml', '<svg/>'],
      ['file', 'text/plain', undefined],
    ]);
    expect(answer.warnings?.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'attachment_unreadable attachments[0]',
      'attachment_unreadable attachments[1]',
      'attachment_unreadable attachments[3]',
    ]);
  });

  test('lists an invalid workbook and UTF-16 text with the reason', async () => {
    const { answer, attachments } = await attached([
      { name: 'broken.xlsx', content: zipSync({ 'a.txt': Buffer.from('x') }) },
      { name: 'words.txt', mediaType: 'text/plain', content: Buffer.from('\uFEFFwords', 'utf16le') },
    ]);
    expect(attachments.map(({ extracted_text: text }) => text)).toEqual([undefined, undefined]);
    expect(answer.warnings?.map(({ code, message, path }) => `${code} ${path} ${message}`)).toEqual([
      "attachment_unreadable attachments[0] 'broken.xlsx' cannot be shown in the prompt: it has no workbook",
      "attachment_unreadable attachments[1] 'words.txt' cannot be shown in the prompt: it is UTF-16, and only UTF-8 is supported",
    ]);
  });

  test('converts any name to a plain file name in the tree', async () => {
    const content = Buffer.from('x');
    const names = ['𠀀'.repeat(200), '...', 'a:b*c?.txt', 'ｆｏｏ 1.md'];
    const { attachments } = await attached(names.map((name) => ({ name, content })));
    const treeNames = attachments.map(({ workspace_path: path }) => path.slice('.reins/attachments/'.length + 13));
    expect(treeNames).toEqual(['𠀀'.repeat(50), 'attachment', 'a_b_c_.txt', 'ｆｏｏ 1.md']);
    expect(attachments.map(({ name }) => name)).toEqual(names);
  });

  test('accepts an empty message with an attachment', async () => {
    const { request } = await attached([{ name: 'a.txt', content: Buffer.from('words') }], '');
    expect(request.instruction).toContain('Review what is attached.');
  });

  test('rejects a missing attachment with its index', async () => {
    const attachments = [{ sha256: 'f'.repeat(64), size: 1 }];
    expect(await prep.ask({ input: { input: 'x', attachments } })).toMatchObject({
      type: 'runtime.prepare.failed',
      error: { code: 'attachment_invalid', path: 'attachments[0]' },
    });
  });
});

describe('limits of document extraction', () => {
  test('time for all documents of a request; a late text is available to the next stage', async () => {
    const read = Promise.withResolvers<string>();
    let asked = 0;
    const extract = (): Promise<string> => {
      asked += 1;
      return read.promise;
    };
    const attachments = new Attachments({ blobs: prep.blobs, extractor: { extract }, totalMs: 20 });
    const refs = [{ ...(await prep.put(file('report.pdf'))), name: 'report.pdf' }];
    const late = await attachments.read(refs);
    expect(late.problems).toMatchObject([{ code: 'attachment_unreadable', path: 'attachments[0]' }]);
    expect(late.files).toHaveLength(1);
    read.resolve('its text');
    const next = await attachments.read(refs);
    expect([next.inputs[0]?.extracted_text, next.problems, asked]).toEqual(['its text', [], 1]);
  });

  /** A workbook whose texts need far more heap than its file size suggests. */
  const greedy = (): Uint8Array => {
    const strings = `<sst>${'<si><t>abcdefgh</t></si>'.repeat(300_000)}</sst>`;
    return zipSync({ 'xl/sharedStrings.xml': Buffer.from(strings) }, { level: 1 });
  };

  test('time for one document', async () => {
    const extractor = new TextExtractor({ deadlineMs: 1, memoryMb: 64 });
    const job = { bytes: file('report.pdf'), kind: 'pdf', maxChars: 10 } as const;
    await expect(extractor.extract(job)).rejects.toThrow('took longer than 1 ms');
  });

  test('memory of one document', async () => {
    const extractor = new TextExtractor({ deadlineMs: 60_000, memoryMb: 8 });
    await expect(extractor.extract({ bytes: greedy(), kind: 'xlsx', maxChars: 10 })).rejects.toThrow('memory limit');
    const again = new TextExtractor({ deadlineMs: 60_000, memoryMb: 256 });
    await expect(again.extract({ bytes: file('notes.docx'), kind: 'docx', maxChars: 9 })).resolves.toBe('Quarterly');
  });
});
