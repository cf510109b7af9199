import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { capture } from '../capture/capture.ts';
import { codesOf, entryLists } from '../testing/arbitraries.ts';
import { fill, withFolder } from '../testing/folders.ts';
import { entriesOf, type TreeEntry, treeFromEntries } from './entries.ts';

describe('a tree from entries', () => {
  it('equals the tree of a folder with the same files', () =>
    withFolder(async (root) => {
      const bytes = Uint8Array.from([0, 255, 128, 10]);
      const files = {
        '.reinsignore': '*.log\nout/\n',
        'a.log': '',
        'out/x': '',
        'sub/ü*': 'text',
        blob: bytes,
        l: '-> blob',
      };
      await fill(root, files);
      const tree = treeFromEntries([
        { path: 'out/x', content: '' },
        { path: 'sub/ü', content: 'text', encoding: 'utf8', mode: '755' },
        { path: 'l', content: 'blob', mode: 'link' },
        { path: 'blob', content: Buffer.from(bytes).toString('base64'), encoding: 'base64' },
        { path: 'a.log', content: '' },
        { path: '.reinsignore', content: files['.reinsignore'] },
      ]);
      const captured = await capture(root);
      expect([...tree.manifest]).toEqual([...captured.manifest]);
      expect(tree.treeId).toBe(captured.treeId);
      expect(Uint8Array.from(await tree.read('blob'))).toEqual(bytes);
      expect(await codesOf(() => tree.read('a.log'))).toEqual(['tree_not_found']);
    }));

  it('survives a round trip through JSON', async () => {
    await fc.assert(
      fc.asyncProperty(entryLists, async (entries) => {
        const tree = treeFromEntries(entries);
        const sent = JSON.parse(JSON.stringify(await entriesOf(tree))) as TreeEntry[];
        expect(treeFromEntries(sent).treeId).toBe(tree.treeId);
      }),
    );
  });

  it('sends text as text', async () => {
    const bom = Buffer.from('\ufeffü');
    const tree = treeFromEntries([
      { path: 'a', content: bom.toString('base64'), encoding: 'base64' },
      { path: 'b', content: '/w==', encoding: 'base64' },
    ]);
    expect(await entriesOf(tree)).toEqual([
      { path: 'a', mode: '644', encoding: 'utf8', content: '\ufeffü' },
      { path: 'b', mode: '644', encoding: 'base64', content: '/w==' },
    ]);
  });

  it.each<[string, readonly TreeEntry[], readonly string[]]>([
    ['a path outside the tree', [{ path: '../x', content: '' }], ['tree_path_refused']],
    [
      'the same path twice',
      [
        { path: 'x', content: '1' },
        { path: 'x', content: '2' },
      ],
      ['tree_path_refused'],
    ],
    [
      'paths that differ in case',
      [
        { path: 'x', content: '' },
        { path: 'X', content: '' },
      ],
      ['tree_path_refused'],
    ],
    ['invalid base64', [{ path: 'x', content: 'a*==', encoding: 'base64' }], ['tree_manifest_invalid']],
    ['half a surrogate pair', [{ path: 'x', content: '\ud800' }], ['tree_manifest_invalid']],
    ['a link out of the tree', [{ path: 'x', content: '/etc', mode: 'link' }], ['tree_entry_refused']],
    [
      'several problems',
      [
        { path: '/x', content: '' },
        { path: 'y', content: '=', encoding: 'base64' },
      ],
      ['tree_path_refused', 'tree_manifest_invalid'],
    ],
  ])('rejects %s', async (_, entries, codes) => {
    expect(await codesOf(() => treeFromEntries(entries))).toEqual(codes);
  });

  it('enforces the limits', async () => {
    const entries = [{ path: 'x', content: '12345' }];
    expect(await codesOf(() => treeFromEntries(entries, { limits: { maxBytes: 4 } }))).toEqual(['tree_limit_exceeded']);
  });
});
