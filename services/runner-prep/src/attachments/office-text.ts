import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** The most bytes that the parts of one document may unfold to. */
const MAX_UNZIPPED = 64 * 1024 * 1024;
/** Thrown through a parser when there is enough text. */
const STOP = Symbol('enough text');

/** The text of a Word document: paragraphs as lines, cells of a table separated by tabs. */
export function docxText(bytes: Uint8Array, maxChars: number): string {
  const parts = unzip(bytes, (name) => name === 'word/document.xml');
  return textOfMarkup(parts.get('word/document.xml'), maxChars);
}

const PRESENTATION = 'ppt/presentation.xml';
const SLIDE = /^ppt\/slides\/slide\d+\.xml$/;

/** The text of a presentation, slide by slide. Throws where there is none. */
export function pptxText(bytes: Uint8Array, maxChars: number): string {
  const parts = unzip(bytes, (name) => name === PRESENTATION || SLIDE.test(name));
  if (parts.size === 0) throw new Error('it has no slides');
  const slides = [...parts].filter(([name]) => SLIDE.test(name)).sort(([a], [b]) => numberIn(a) - numberIn(b));
  return slides
    .map(([, xml], index) => `Slide ${index + 1}:\n${textOfMarkup(xml, maxChars)}`)
    .join('\n\n')
    .slice(0, maxChars);
}

/** The parts of a package that are asked for, decoded. What unfolds to more than is bearable is refused. */
export function unzip(bytes: Uint8Array, wanted: (name: string) => boolean): ReadonlyMap<string, string> {
  let total = 0;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!wanted(name)) return false;
      total += originalSize;
      if (total > MAX_UNZIPPED) throw new Error('it unfolds to more than is admitted');
      return true;
    },
  });
  return new Map(Object.entries(files).map(([name, content]) => [name, strFromU8(content)]));
}

const LINE_ENDS = new Set(['w:p', 'w:tr', 'a:p', 'w:br', 'a:br']);

/** Word and presentation markup alike: runs of text in paragraphs. */
function textOfMarkup(xml: string | undefined, maxChars: number): string {
  if (xml === undefined) throw new Error('it has no such part');
  let text = '';
  let inRun = false;
  let inCell = 0;
  read(xml, {
    open: ({ name }) => {
      if (name === 'w:t' || name === 'a:t') inRun = true;
      if (name === 'w:tc') inCell += 1;
      if (name === 'w:tab') text += '\t';
    },
    text: (chunk) => {
      if (inRun) text += chunk;
      if (text.length > maxChars) throw STOP;
    },
    close: (name) => {
      if (name === 'w:t' || name === 'a:t') inRun = false;
      if (name === 'w:tc') inCell -= 1;
      if (name === 'w:tc') text += '\t';
      else if (LINE_ENDS.has(name) && (inCell === 0 || name === 'w:tr')) text = `${text.trimEnd()}\n`;
      else if (LINE_ENDS.has(name)) text += ' ';
    },
  });
  return text.trim().slice(0, maxChars);
}

/** What a reader of XML is told. */
export interface XmlEvents {
  readonly open?: (tag: SaxesTagPlain) => void;
  readonly text?: (chunk: string) => void;
  readonly close?: (name: string) => void;
}

/** Reads XML until its end or until somebody has enough. No entity but the built-in ones is known, nothing is fetched. */
export function read(xml: string, { open, text, close }: XmlEvents): void {
  const parser = new SaxesParser();
  if (open) parser.on('opentag', open);
  if (text) parser.on('text', text);
  if (close) parser.on('closetag', ({ name }) => close(name));
  try {
    parser.write(xml).close();
  } catch (error) {
    if (error !== STOP) throw error;
  }
}

/** Ends a reading from inside. */
export function stopReading(): never {
  throw STOP;
}

const numberIn = (name: string): number => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
