import { skipBlanks } from './source-text.ts';
import type { NodeTrace } from './tracer.ts';

export type PathSegment = string | number;

interface Pair {
  readonly key: NodeTrace;
  readonly value: NodeTrace | undefined;
}

/** Finds the nodes of a traced document by path. */
export class TracePaths {
  readonly #root: NodeTrace;
  readonly #text: string;
  readonly #pairs = new Map<NodeTrace, ReadonlyMap<string, Pair>>();

  constructor(root: NodeTrace, text: string) {
    this.#root = root;
    this.#text = text;
  }

  /** The offset of the node at the path, or of the nearest existing ancestor. */
  offsetOf(path: readonly PathSegment[], target: 'key' | 'value'): number {
    let node = this.#root;
    let nearest = node.start;
    for (const [i, segment] of path.entries()) {
      const pair = this.#child(node, segment);
      if (!pair) return nearest;
      nearest = pair.key.start;
      const last = i === path.length - 1;
      // an empty value has no position, so the position of its key is used
      if (!pair.value || (last && (target === 'key' || isEmpty(pair.value)))) return nearest;
      node = pair.value;
    }
    return node.start;
  }

  keySpelling(path: readonly PathSegment[]): string | undefined {
    let node: NodeTrace | undefined = this.#root;
    let key: NodeTrace | undefined;
    for (const segment of path) {
      const pair: Pair | undefined = node && this.#child(node, segment);
      key = pair?.key;
      node = pair?.value;
    }
    return key && this.#text.slice(skipBlanks(this.#text, key.start), key.end).trim();
  }

  #child(node: NodeTrace, segment: PathSegment): Pair | undefined {
    return typeof segment === 'number' ? itemOf(node, segment) : this.#pairsOf(node).get(segment);
  }

  /** A key can repeat only by merging; the later one wins. */
  #pairsOf(node: NodeTrace): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(node);
    if (known) return known;
    const pairs = new Map<string, Pair>();
    for (const pair of readPairs(node, this.#text)) pairs.set(keyOf(pair.key.value), pair);
    this.#pairs.set(node, pairs);
    return pairs;
  }
}

/** The text form of a parsed key. The parser converts a collection to `[object Object]`. */
function keyOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value);
}

function isEmpty(node: NodeTrace): boolean {
  return node.value === null && node.kind === null;
}

function itemOf(node: NodeTrace, index: number): Pair | undefined {
  if (!Array.isArray(node.value)) return undefined;
  // a pair in a flow list without braces (`[a: b]`) is traced as two nodes, so only the list has a position
  if (node.children?.length !== node.value.length) return undefined;
  const item = node.children[index];
  return item && { key: item, value: item };
}

/** The children of a mapping are alternating keys and values, but a key without a colon has no value. */
function* readPairs(node: NodeTrace, text: string): Generator<Pair> {
  if (node.kind !== 'mapping') return;
  const children = node.children ?? [];
  for (let i = 0; i < children.length; ) {
    const key = children[i] as NodeTrace;
    const next = children[i + 1];
    const paired = next !== undefined && text[skipBlanks(text, key.end)] === ':';
    yield { key, value: paired ? next : undefined };
    i += paired ? 2 : 1;
  }
}
