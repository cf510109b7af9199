import { EVENT_ID, type Event } from 'js-yaml-5/browser';
import type { EventIndex } from './event-index.ts';
import { keyName } from './key-names.ts';
import { endOf, isEmptyNode, startOf } from './node-offsets.ts';

export type PathSegment = string | number;

interface Pair {
  readonly key: number;
  readonly value: number;
}

/** Finds the nodes of one document by path. */
export class NodePositions {
  readonly #index: EventIndex;
  readonly #root: number;
  readonly #items = new Map<number, readonly number[]>();
  readonly #pairs = new Map<number, ReadonlyMap<string, Pair>>();

  constructor(index: EventIndex, root: number) {
    this.#index = index;
    this.#root = root;
  }

  /** The offset of the node at the path, or of the nearest existing ancestor. */
  offsetOf(path: readonly PathSegment[], target: 'key' | 'value'): number {
    let node = this.#root;
    let nearest = this.#startOf(node) ?? 0;
    for (const [i, segment] of path.entries()) {
      const pair = this.#child(node, segment);
      if (!pair) return nearest;
      nearest = this.#startOf(pair.key) ?? nearest;
      // an empty value has no position, so the position of its key is used
      if (i === path.length - 1 && (target === 'key' || isEmptyNode(this.#event(pair.value)))) return nearest;
      node = pair.value;
    }
    return this.#startOf(node) ?? nearest;
  }

  /** How the last key of the path is written; undefined for a collection, or if the document does not have the path. */
  keySpelling(path: readonly PathSegment[]): string | undefined {
    let pair: Pair | undefined;
    for (const [i, segment] of path.entries()) {
      pair = i === 0 || pair ? this.#child(pair?.value ?? this.#root, segment) : undefined;
    }
    const end = pair && endOf(this.#event(pair.key));
    return end === undefined ? undefined : this.#index.text.slice(this.#startOf((pair as Pair).key), end);
  }

  #event(node: number): Event {
    return this.#index.events[node] as Event;
  }

  #startOf(node: number): number | undefined {
    return startOf(this.#event(node), this.#index.text);
  }

  #child(node: number, segment: PathSegment): Pair | undefined {
    const { type } = this.#event(node);
    if (typeof segment === 'string') return type === EVENT_ID.MAPPING ? this.#pairsOf(node).get(segment) : undefined;
    const item = type === EVENT_ID.SEQUENCE ? this.#itemsOf(node)[segment] : undefined;
    return item === undefined ? undefined : { key: item, value: item };
  }

  #itemsOf(node: number): readonly number[] {
    const known = this.#items.get(node) ?? this.#index.childrenOf(node);
    this.#items.set(node, known);
    return known;
  }

  #pairsOf(node: number): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(node);
    if (known) return known;
    const pairs = new Map<string, Pair>();
    const children = this.#index.childrenOf(node);
    for (let i = 0; i < children.length; i += 2) {
      const [key, value] = [children[i] as number, children[i + 1] as number];
      const name = keyName(this.#index, key);
      if (name !== undefined) pairs.set(name, { key, value });
    }
    this.#pairs.set(node, pairs);
    return pairs;
  }
}
