import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** The maximum decompressed size of a document's parts. */
const MAX_UNZIPPED_BYTES = 64 * 1024 * 1024;
/** Thrown by a callback to stop the parser. */
const STOP = Symbol('stop reading');

/**
 * The text of a Word document: paragraphs as lines, table cells separated by tabs. Throws when the document part is
 * missing.
 */
export function docxText(bytes: Uint8Array, maxChars: number): string {
  const parts = unzip(bytes, (name) => name === 'word/document.xml');
  return textOfMarkup(parts.get('word/document.xml'), maxChars);
}

const PRESENTATION = 'ppt/presentation.xml';
const SLIDE = /^ppt\/slides\/slide\d+\.xml$/;

/** The text of a presentation, slide by slide; empty without slides. Throws when its parts are missing. */
export function pptxText(bytes: Uint8Array, maxChars: number): string {
  const parts = unzip(bytes, (name) => name === PRESENTATION || SLIDE.test(name));
  if (parts.size === 0) throw new Error('it has no slides');
  const slides = [...parts].filter(([name]) => SLIDE.test(name)).sort(([a], [b]) => numberIn(a) - numberIn(b));
  return slides
    .map(([, xml], index) => `Slide ${index + 1}:\n${textOfMarkup(xml, maxChars)}`)
    .join('\n\n')
    .slice(0, maxChars);
}

/** The selected parts of a package, decoded. Throws if their decompressed size exceeds the limit. */
export function unzip(bytes: Uint8Array, isWanted: (name: string) => boolean): ReadonlyMap<string, string> {
  let total = 0;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!isWanted(name)) return false;
      total += originalSize;
      if (total > MAX_UNZIPPED_BYTES) throw new Error('it is too large when decompressed');
      return true;
    },
  });
  return new Map(Object.entries(files).map(([name, content]) => [name, strFromU8(content)]));
}

const LINE_ENDS = new Set(['w:p', 'w:tr', 'a:p', 'w:br', 'a:br']);

/** Extracts text runs from Word or presentation markup. */
function textOfMarkup(xml: string | undefined, maxChars: number): string {
  if (xml === undefined) throw new Error('it has no text part');
  let text = '';
  let inRun = false;
  let inCell = 0;
  parseXml(xml, {
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

/** The callbacks of `parseXml`. */
export interface XmlEvents {
  readonly open?: (tag: SaxesTagPlain) => void;
  readonly text?: (chunk: string) => void;
  readonly close?: (name: string) => void;
}

/**
 * Parses XML until its end, or until a callback calls `stopReading`. Only built-in entities are supported, and nothing
 * is fetched.
 */
export function parseXml(xml: string, { open, text, close }: XmlEvents): void {
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

/** Stops `parseXml` from within a callback. */
export function stopReading(): never {
  throw STOP;
}

const numberIn = (name: string): number => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0);
