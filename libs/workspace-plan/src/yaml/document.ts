import { load, loadAll, YAMLException } from 'js-yaml';
import { LimitExceeded, type LimitKind, YAML_LIMITS, type YamlLimits } from './limits.ts';
import { SourceText, type TextPosition } from './source-text.ts';
import { type PathSegment, TracePaths } from './trace-path.ts';
import { checkExpansion, type NodeTrace, Tracer } from './tracer.ts';

/** Why a document could not be read. */
export interface YamlFailure {
  readonly kind: 'syntax' | LimitKind;
  /**
   * The parser's message for a syntax error, otherwise our message for a limit. Never an excerpt of the text, which may
   * contain a secret.
   */
  readonly reason: string;
  readonly position: TextPosition;
}

/** One document of a file: its value, and the positions of its parts. */
export class YamlDocument {
  readonly value: unknown;
  readonly text: SourceText;
  /** Positions of aliases that refer to the node that contains them. */
  readonly cycles: readonly TextPosition[];
  readonly #paths: TracePaths | undefined;

  constructor(text: SourceText, value: unknown, root: NodeTrace | undefined, cycles: readonly number[]) {
    this.text = text;
    this.value = value;
    this.#paths = root && new TracePaths(root, text.body);
    this.cycles = cycles.map((offset) => text.positionAfterBlanks(offset));
  }

  /** The position of the value at the path, or of the nearest existing ancestor. */
  positionOf(path: readonly PathSegment[], target: 'key' | 'value' = 'value'): TextPosition {
    return this.text.positionAfterBlanks(this.#paths?.offsetOf(path, target) ?? 0);
  }

  /** The spelling of the last key of the path: `010` for the key that was parsed as `10`. */
  keySpelling(path: readonly PathSegment[]): string | undefined {
    return this.#paths?.keySpelling(path);
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
  const source = new SourceText(text);
  return readWithLimits(source, limits, (tracer) => {
    const value = load(text, { listener: tracer.listen }); // js-yaml removes one byte order mark, as `SourceText` does
    const [root] = tracer.roots;
    if (root) checkExpansion(root, isRead, limits);
    return new YamlDocument(source, value, root, tracer.cycles);
  });
}

/** Parses a file that may contain several documents, separated by `---`. */
export function readYamlAll(text: string, limits: YamlLimits = YAML_LIMITS): YamlResult<readonly YamlDocument[]> {
  const source = new SourceText(text);
  return readWithLimits(source, limits, (tracer) => {
    const values: unknown[] = [];
    loadAll(text, (value) => values.push(value), { listener: tracer.listen });
    for (const root of tracer.roots) checkExpansion(root, () => true, limits);
    return values.map((value, i) => new YamlDocument(source, value, tracer.roots[i], i === 0 ? tracer.cycles : []));
  });
}

function readWithLimits<T>(source: SourceText, limits: YamlLimits, read: (tracer: Tracer) => T): YamlResult<T> {
  if (source.body.length > limits.maxLength) {
    const reason = `the file is longer than ${limits.maxLength} characters`;
    return { ok: false, text: source, failure: { kind: 'length', reason, position: source.position(0) } };
  }
  try {
    return { ok: true, value: read(new Tracer(limits)) };
  } catch (error) {
    return { ok: false, text: source, failure: failureOf(error, source, limits) };
  }
}

function failureOf(error: unknown, source: SourceText, limits: YamlLimits): YamlFailure {
  if (error instanceof YAMLException) {
    const position = source.position(error.mark ? startOf(error.reason, error.mark.position, source.body) : 0);
    const where = error.mark ? ` (${position.line}:${position.column})` : '';
    return { kind: 'syntax', reason: `${error.reason}${where}`, position };
  }
  if (error instanceof LimitExceeded) {
    const position = source.positionAfterBlanks(error.offset);
    const reason =
      error.kind === 'depth'
        ? `collections are nested more than ${limits.maxDepth} levels deep`
        : `the document has more than ${limits.maxExpandedSize} nodes when its aliases are expanded`;
    return { kind: error.kind, reason, position };
  }
  // the parser is recursive and overflows the stack here if the stack was nearly full before
  if (error instanceof RangeError)
    return { kind: 'depth', reason: 'the document is nested too deeply', position: source.position(0) };
  throw error;
}

const UNKNOWN_ALIAS = /^unidentified alias "(.+)"$/;
const UNKNOWN_TAG = /^unknown .*tag !<(?:tag:yaml\.org,2002:)?(.+)>$/;

/** The parser reports an unknown alias or tag after reading past it. This finds its start. */
function startOf(reason: string, end: number, body: string): number {
  const alias = UNKNOWN_ALIAS.exec(reason)?.[1];
  if (alias !== undefined) return lastIndexBefore(`*${alias}`, end, body);
  const tag = UNKNOWN_TAG.exec(reason)?.[1];
  return tag === undefined ? end : lastIndexBefore(tag.startsWith('!') ? tag : `!!${tag}`, end, body);
}

function lastIndexBefore(text: string, end: number, body: string): number {
  const start = body.lastIndexOf(text, end);
  return start < 0 ? end : start;
}
