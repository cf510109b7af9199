import { load, loadAll } from 'js-yaml';
import { EventIndex } from './event-index.ts';
import { Expansion, nestsDeeper } from './expansion.ts';
import { failureOf, tooDeepAt, tooLong, type YamlFailure } from './failure.ts';
import { LimitExceeded, YAML_LIMITS, type YamlLimits } from './limits.ts';
import { NodePositions, type PathSegment } from './node-positions.ts';
import { checkCopying, copyingBound, mayRepeat } from './parser-work.ts';
import { SourceText, type TextPosition } from './source-text.ts';

/** The positions of one document, which are computed on first use; undefined where they are unknown. */
type Positions = () => NodePositions | undefined;

/** One document of a file: its value, and the positions of its parts. */
export class YamlDocument {
  readonly value: unknown;
  readonly text: SourceText;
  /** The paths of aliases that refer to the node that contains them. */
  readonly cycles: readonly (readonly PathSegment[])[];
  readonly #positions: Positions;

  constructor(text: SourceText, value: unknown, positions: Positions, cycles: YamlDocument['cycles']) {
    this.text = text;
    this.value = value;
    this.cycles = cycles;
    this.#positions = positions;
  }

  /** The position of the value at the path, or of the nearest existing ancestor. */
  positionOf(path: readonly PathSegment[], target: 'key' | 'value' = 'value'): TextPosition {
    const offset = this.#positions()?.offsetOf(path, target);
    return offset === undefined ? this.text.positionAfterBlanks(0) : this.text.position(offset);
  }

  /** The spelling of the last key of the path: `010` for the key that was parsed as `10`. */
  keySpelling(path: readonly PathSegment[]): string | undefined {
    return this.#positions()?.keySpelling(path);
  }
}

export type YamlResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: YamlFailure; readonly text: SourceText };

/** How a file with one document is read. */
export interface ReadOptions {
  readonly limits?: YamlLimits;
  /** Whether this key of the root is read. The values of other keys may expand to any size. */
  readonly isRead?: (key: string) => boolean;
}

/** Parses a file with one document. Never throws for invalid input, and runs in bounded time. */
export function readYaml(
  text: string,
  { limits = YAML_LIMITS, isRead = () => true }: ReadOptions = {},
): YamlResult<YamlDocument> {
  return readWithin(limits, text, (reader) => reader.document(load(text), isRead));
}

/** Parses a file that may contain several documents, separated by `---`. */
export function readYamlAll(text: string, limits: YamlLimits = YAML_LIMITS): YamlResult<readonly YamlDocument[]> {
  return readWithin(limits, text, (reader) => {
    const values = loadAll(text);
    return values.map((value, i) => reader.document(value, () => true, { document: i, of: values.length }));
  });
}

function readWithin<T>(limits: YamlLimits, text: string, read: (reader: Reader) => T): YamlResult<T> {
  const source = new SourceText(text); // without its byte order mark, which js-yaml removes as well
  if (source.body.length > limits.maxLength) return { ok: false, text: source, failure: tooLong(source, limits) };
  const reader = new Reader(source, limits);
  try {
    reader.checkBeforeParsing();
    return { ok: true, value: read(reader) };
  } catch (error) {
    return { ok: false, text: source, failure: failureOf(error, source, limits) };
  }
}

/** Creates the documents of one file. They share its events, which are parsed on first use. */
class Reader {
  readonly #source: SourceText;
  readonly #limits: YamlLimits;
  #index: EventIndex | null | undefined;

  constructor(source: SourceText, limits: YamlLimits) {
    this.#source = source;
    this.#limits = limits;
  }

  /** @throws LimitExceeded, or EventsRejected for a text that may copy much and that js-yaml 5 rejects */
  checkBeforeParsing(): void {
    if (copyingBound(this.#source.body) > this.#limits.maxExpandedSize) checkCopying(this.#parse(), this.#limits);
  }

  /** @throws LimitExceeded */
  document(value: unknown, isRead: (key: string) => boolean, position = { document: 0, of: 1 }): YamlDocument {
    const positions = this.#positionsOf(position);
    const cycles = mayRepeat(this.#source.body) ? this.#expand(value, isRead, positions) : this.#checkDepth(value);
    return new YamlDocument(this.#source, value, positions, cycles);
  }

  #expand(value: unknown, isRead: (key: string) => boolean, positions: Positions): YamlDocument['cycles'] {
    const expansion = new Expansion(this.#limits, (path) => positions()?.offsetOf(path, 'value') ?? 0);
    expansion.check(value, isRead);
    return expansion.cycles;
  }

  #checkDepth(value: unknown): readonly [] {
    const { maxDepth } = this.#limits;
    const mayBeDeep = this.#source.body.length > 2 * maxDepth; // a level takes at least two characters
    if (!mayBeDeep || !nestsDeeper(value, maxDepth)) return [];
    throw new LimitExceeded('depth', tooDeepAt(this.#source.body, this.#limits) ?? 0);
  }

  #positionsOf(position: { readonly document: number; readonly of: number }): Positions {
    let positions: NodePositions | undefined;
    return () => {
      const index = this.#known();
      // the parsers disagree about what is an empty document before `...`
      const root = index?.roots.length === position.of ? index.roots[position.document] : undefined;
      if (index && root !== undefined) positions ??= new NodePositions(index, root);
      return positions;
    };
  }

  /** The events; undefined for a text that js-yaml 5 rejects, so that its positions are unknown. */
  #known(): EventIndex | undefined {
    if (this.#index === undefined) {
      try {
        this.#parse();
      } catch {
        this.#index = null;
      }
    }
    return this.#index ?? undefined;
  }

  #parse(): EventIndex {
    // a scalar and a key each count as one more level
    this.#index ??= new EventIndex(this.#source.body, this.#limits.maxDepth + 2);
    return this.#index;
  }
}
