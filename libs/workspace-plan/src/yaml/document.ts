import { load, loadAll, YAMLException } from 'js-yaml';
import { LimitExceeded, type LimitKind, YAML_LIMITS, type YamlLimits } from './limits.ts';
import { type Place, SourceText } from './source-text.ts';
import { type PathSegment, TracePaths } from './trace-path.ts';
import { type NodeTrace, Tracer } from './tracer.ts';

/** Why a document could not be read. */
export interface YamlFailure {
  readonly kind: 'syntax' | LimitKind;
  /** The parser's words for a syntax error, ours for a limit. Never an excerpt of the text: that may hold a secret. */
  readonly reason: string;
  readonly place: Place;
}

/** One document of a file: its value and where every part of it stands. */
export class YamlDocument {
  readonly value: unknown;
  readonly text: SourceText;
  /** Where an alias stands inside the node that it names. */
  readonly cycles: readonly Place[];
  readonly #paths: TracePaths | undefined;

  constructor(text: SourceText, value: unknown, root: NodeTrace | undefined, cycles: readonly number[]) {
    this.text = text;
    this.value = value;
    this.#paths = root && new TracePaths(root, text.body);
    this.cycles = cycles.map((offset) => text.placeAfterBlanks(offset));
  }

  /** Where the value at the path stands; the nearest part that exists, when the path leads to nothing. */
  placeOf(path: readonly PathSegment[], target: 'key' | 'value' = 'value'): Place {
    return this.text.placeAfterBlanks(this.#paths?.offsetOf(path, target) ?? 0);
  }

  /** The last key of the path as it is written: `010` for the key that became `10`. */
  keySpelling(path: readonly PathSegment[]): string | undefined {
    return this.#paths?.keySpelling(path);
  }
}

export type YamlResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: YamlFailure; readonly text: SourceText };

/** Reads a file that holds one document. Total: every text gives a document or a failure, in bounded time. */
export function readYaml(text: string, limits: YamlLimits = YAML_LIMITS): YamlResult<YamlDocument> {
  const source = new SourceText(text);
  return guarded(source, limits, (tracer) => {
    const value = load(text, { listener: tracer.listen }); // it leaves out one byte order mark, as the source does
    return new YamlDocument(source, value, tracer.roots[0], tracer.cycles);
  });
}

/** Reads a file that may hold several documents, `---` between them. */
export function readYamlAll(text: string, limits: YamlLimits = YAML_LIMITS): YamlResult<readonly YamlDocument[]> {
  const source = new SourceText(text);
  return guarded(source, limits, (tracer) => {
    const values: unknown[] = [];
    loadAll(text, (value) => values.push(value), { listener: tracer.listen });
    return values.map((value, i) => new YamlDocument(source, value, tracer.roots[i], i === 0 ? tracer.cycles : []));
  });
}

function guarded<T>(source: SourceText, limits: YamlLimits, read: (tracer: Tracer) => T): YamlResult<T> {
  if (source.body.length > limits.maxLength) {
    const reason = `the file is longer than ${limits.maxLength} characters`;
    return { ok: false, text: source, failure: { kind: 'length', reason, place: source.place(0) } };
  }
  try {
    return { ok: true, value: read(new Tracer(limits)) };
  } catch (error) {
    return { ok: false, text: source, failure: failureOf(error, source, limits) };
  }
}

function failureOf(error: unknown, source: SourceText, limits: YamlLimits): YamlFailure {
  if (error instanceof YAMLException) {
    const place = source.place(error.mark ? beginningOf(error.reason, error.mark.position, source.body) : 0);
    const where = error.mark ? ` (${place.line}:${place.column})` : '';
    return { kind: 'syntax', reason: `${error.reason}${where}`, place };
  }
  if (error instanceof LimitExceeded) {
    const place = source.placeAfterBlanks(error.offset);
    const reason =
      error.kind === 'depth'
        ? `collections are nested more than ${limits.maxDepth} deep`
        : `with its aliases written out the document has more than ${limits.maxExpandedSize} nodes`;
    return { kind: error.kind, reason, place };
  }
  // the parser recurses: a stack that was nearly full when it was called ends here
  if (error instanceof RangeError) return { kind: 'depth', reason: 'nested too deep', place: source.place(0) };
  throw error;
}

const UNKNOWN_ALIAS = /^unidentified alias "(.+)"$/;
const UNKNOWN_TAG = /^unknown .*tag !<(?:tag:yaml\.org,2002:)?(.+)>$/;

/** The parser notices an alias or a tag that it does not know when it has read past it: this goes back to where it begins. */
function beginningOf(reason: string, end: number, body: string): number {
  const alias = UNKNOWN_ALIAS.exec(reason)?.[1];
  if (alias !== undefined) return foundBefore(`*${alias}`, end, body);
  const tag = UNKNOWN_TAG.exec(reason)?.[1];
  return tag === undefined ? end : foundBefore(tag.startsWith('!') ? tag : `!!${tag}`, end, body);
}

function foundBefore(text: string, end: number, body: string): number {
  const start = body.lastIndexOf(text, end);
  return start < 0 ? end : start;
}
