/** The longest line of a document, in columns, and the longest sentence, in words (docs are read by busy people). */
const COLUMNS = 120;
const WORDS = 25;

/** The numbers of the lines of a Markdown text that are too long; a link alone on its line may be. */
export const longLines = (text) =>
  text.split('\n').flatMap((line, index) => (line.length > COLUMNS && !/^\s*\S+$/.test(line) ? [index + 1] : []));

/** The sentences of the prose in a Markdown text that are too long. Code blocks, tables and headings are not prose. */
export function longSentences(text) {
  return blocksOf(text)
    .flatMap((block) => block.split(/(?<=[.!?:])["')*_]*\s+/))
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length > WORDS);
}

/** Paragraphs and list items, each as one line. */
function blocksOf(text) {
  const prose = text.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2.*$/gm, '').replaceAll(/<!--[\s\S]*?-->/g, '');
  const blocks = [''];
  for (const line of prose.split('\n')) {
    if (/^\s*(\||#)/.test(line) || line.trim() === '') blocks.push('');
    else if (/^\s*([-*+]|\d+\.)\s/.test(line)) blocks.push(line.replace(/^\s*([-*+]|\d+\.)\s/, ''));
    else blocks[blocks.length - 1] += ` ${line.trim()}`;
  }
  return blocks
    .map((block) =>
      block
        .replaceAll(/`[^`]*`/g, 'code')
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .trim(),
    )
    .filter((block) => block !== '');
}
