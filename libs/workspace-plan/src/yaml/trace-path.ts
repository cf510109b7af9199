import { skipBlanks } from './source-text.ts';
import type { NodeTrace } from './tracer.ts';

export type PathSegment = string | number;

/** The offset of what the path names in the traced document, or of the nearest part of the way that exists. */
export function find(root: NodeTrace, text: string, path: readonly PathSegment[], target: 'key' | 'value'): number {
  let node = root;
  for (const [i, segment] of path.entries()) {
    const pair = typeof segment === 'number' ? itemOf(node, segment) : pairOf(node, text, segment);
    if (!pair) return node.start;
    const last = i === path.length - 1;
    if (last && target === 'key') return pair.key.start;
    if (!pair.value) return pair.key.start;
    node = pair.value;
    // an empty value stands nowhere: its key is what the author sees
    if (last && node.value === null && node.kind === null) return pair.key.start;
  }
  return node.start;
}

interface Pair {
  readonly key: NodeTrace;
  readonly value: NodeTrace | undefined;
}

function itemOf(node: NodeTrace, index: number): Pair | undefined {
  if (!Array.isArray(node.value)) return undefined;
  // a pair that stands in a flow list without braces (`[a: b]`) traces as two nodes; then only the list is known
  if (node.children?.length !== node.value.length) return undefined;
  const item = node.children[index];
  return item && { key: item, value: item };
}

/** A key repeats only by merging, and then the later one counts. */
function pairOf(node: NodeTrace, text: string, name: string): Pair | undefined {
  let found: Pair | undefined;
  for (const pair of pairsOf(node, text)) if (String(pair.key.value) === name) found = pair;
  return found;
}

/** Children of a mapping are its keys and values in turn, but a key without a colon after it has no value. */
function* pairsOf(node: NodeTrace, text: string): Generator<Pair> {
  const children = node.children ?? [];
  for (let i = 0; i < children.length; ) {
    const key = children[i] as NodeTrace;
    const next = children[i + 1];
    const paired = next !== undefined && text[skipBlanks(text, key.end)] === ':';
    yield { key, value: paired ? next : undefined };
    i += paired ? 2 : 1;
  }
}
