import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { longLines, longSentences } from './prose.mjs';

const ROOT = join(import.meta.dirname, '../../..');
const READ_FIRST = globSync('{README,CONTRIBUTING}.md', { cwd: ROOT });
const DOCUMENTS = [...READ_FIRST, ...globSync('{docs,libs/*,services/*,tools/*}/*.md', { cwd: ROOT })];

describe('the documents', () => {
  it('have lines of at most 120 columns', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(30);
    expect(
      DOCUMENTS.flatMap((file) => longLines(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}:${line}`)),
    ).toEqual([]);
  });

  it('have sentences of at most 25 words', () => {
    const long = DOCUMENTS.flatMap((file) =>
      longSentences(readFileSync(join(ROOT, file), 'utf8')).map((sentence) => `${file}: ${sentence}`),
    );
    expect(long).toEqual([]);
  });
});

describe('reading prose', () => {
  it('leaves out code, tables and headings, and takes a code span for one word', () => {
    const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
    expect(longSentences(`# ${words}\n\n| ${words} |\n\n\`\`\`\n${words}\n\`\`\`\n\nRun \`${words}\` now.`)).toEqual(
      [],
    );
    expect(longSentences(`- one. ${words}.\n- two.`)).toHaveLength(1);
  });

  it('takes each list item and paragraph for itself', () => {
    const half = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ');
    expect(longSentences(`- ${half}\n- ${half}\n\n${half}\n\n${half}`)).toEqual([]);
    expect(longSentences(`${half}\n${half}`)).toHaveLength(1);
  });
});
