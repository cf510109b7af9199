import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { countByFolder, findInRepository, findWords } from './count.mjs';

const ROOT = join(import.meta.dirname, '../../../..');
const RATCHET: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'ratchet.json'), 'utf8'),
);

describe('the words that the project does not use', () => {
  const words = (text: string): string[] => findWords(text).map(({ word }) => word);

  it('are found in prose and inside names, but not inside other words', () => {
    expect(findWords('// one\n// It is told.')).toMatchObject([{ line: 2, word: 'told' }]);
    expect(words('const factTeller = whoAreNobody(is_ghost);')).toEqual(['Teller', 'Nobody', 'ghost']);
    expect(words('amend, telltale, besidesx')).toEqual([]);
  });

  it('are allowed in names that are stored or public', () => {
    expect(words("sealed: 'told', mend: remedy, examples/support-desk")).toEqual([]);
  });

  it('are not used more often than before in any folder (`npm run words -- --write` keeps a lower count)', () => {
    const found = findInRepository(ROOT);
    const counts = countByFolder(found);
    const grown = Object.entries(counts).filter(([folder, count]) => count > (RATCHET[folder] ?? 0));
    const places = found.filter(({ file }) =>
      grown.some(([folder]) => file.startsWith(`${folder}/`) || folder === '.'),
    );
    expect(grown.length > 0 ? places : []).toEqual([]);
    expect(counts).toEqual(RATCHET);
  });
});
