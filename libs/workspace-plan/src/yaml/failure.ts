import { YAMLException } from 'js-yaml';
import { EventIndex, EventsRejected } from './event-index.ts';
import { LimitExceeded, type LimitKind, type YamlLimits } from './limits.ts';
import type { SourceText, TextPosition } from './source-text.ts';

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

/** The failure of a file that is too long to be parsed. */
export const tooLong = (source: SourceText, { maxLength }: YamlLimits): YamlFailure => ({
  kind: 'length',
  reason: `the file is longer than ${maxLength} characters`,
  position: source.position(0),
});

/** Describes what a parser or a check of the limits threw. Throws any other error again. */
export function failureOf(error: unknown, source: SourceText, limits: YamlLimits): YamlFailure {
  if (error instanceof YAMLException)
    return syntaxError(error.reason, error.mark && startOf(error.reason, error.mark.position, source.body), source);
  if (error instanceof EventsRejected && !error.isTooDeep) return syntaxError(error.message, error.offset, source);
  if (error instanceof LimitExceeded && error.kind === 'expansion') {
    const reason = `the document has more than ${limits.maxExpandedSize} nodes when its aliases are expanded`;
    return { kind: 'expansion', reason, position: source.positionAfterBlanks(error.offset) };
  }
  if (error instanceof LimitExceeded || error instanceof EventsRejected) return tooDeep(error.offset, source, limits);
  // the parser is recursive and overflows the stack here
  if (error instanceof RangeError) return tooDeep(tooDeepAt(source.body, limits), source, limits);
  throw error;
}

function syntaxError(error: string, offset: number | undefined, source: SourceText): YamlFailure {
  const position = source.position(offset ?? 0);
  const where = offset === undefined ? '' : ` (${position.line}:${position.column})`;
  return { kind: 'syntax', reason: `${error}${where}`, position };
}

function tooDeep(offset: number | undefined, source: SourceText, { maxDepth }: YamlLimits): YamlFailure {
  // without an offset, the stack was nearly full before
  if (offset === undefined)
    return { kind: 'depth', reason: 'the document is nested too deeply', position: source.position(0) };
  const reason = `collections are nested more than ${maxDepth} levels deep`;
  return { kind: 'depth', reason, position: source.positionAfterBlanks(offset) };
}

/** The offset at which a document exceeds the maximum depth, if the parser that counts it finds one. */
export function tooDeepAt(text: string, { maxDepth }: YamlLimits): number | undefined {
  try {
    new EventIndex(text, maxDepth + 1); // the parser reads some collections as a key first, one level deeper
  } catch (error) {
    if (error instanceof EventsRejected && error.isTooDeep) return error.offset;
  }
  return undefined;
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
