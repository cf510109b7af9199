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

  /** The offset of what the path names, or of the nearest part of the way that exists. */
  offsetOf(path: readonly PathSegment[], target: 'key' | 'value'): number {
    let node = this.#root;
    let nearest = node.start;
    for (const [i, segment] of path.entries()) {
      const pair = this.#child(node, segment);
      if (!pair) return nearest;
      nearest = pair.key.start;
      const last = i === path.length - 1;
      // an empty value stands nowhere: its key is what the author sees
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

  /** A key repeats only by merging, and then the later one counts. */
  #pairsOf(node: NodeTrace): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(node);
    if (known) return known;
    const pairs = new Map<string, Pair>();
    for (const pair of readPairs(node, this.#text)) pairs.set(keyOf(pair.key.value), pair);
    this.#pairs.set(node, pairs);
    return pairs;
  }
}

/** The text that a key became: that of a collection is what the parser makes of it. */
function keyOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value);
}

function isEmpty(node: NodeTrace): boolean {
  return node.value === null && node.kind === null;
}

function itemOf(node: NodeTrace, index: number): Pair | undefined {
  if (!Array.isArray(node.value)) return undefined;
  // a pair that stands in a flow list without braces (`[a: b]`) traces as two nodes; then only the list is known
  if (node.children?.length !== node.value.length) return undefined;
  const item = node.children[index];
  return item && { key: item, value: item };
}

/** Children of a mapping are its keys and values in turn, but a key without a colon after it has no value. */
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
