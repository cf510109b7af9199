import { EVENT_ID, type Event } from 'js-yaml-5/browser';
import type { EventIndex } from './event-index.ts';
import { LimitExceeded, scalarWeight, type YamlLimits } from './limits.ts';
import { startOf } from './node-offsets.ts';

/** Whether a text may contain aliases or merged mappings. */
export const mayRepeat = (text: string): boolean => text.includes('*') || text.includes('<<');

/**
 * An upper bound of what the parser copies while it reads a text. It copies the members of a mapping that is merged by
 * `<<`, and joins the items of a list that is a key. Other aliases are free, because they share their values.
 */
export function copyingBound(text: string): number {
  if (!mayRepeat(text)) return 0;
  const sources = count(text, /\*|<</g);
  return sources * (count(text, /[:?,]/g) + sources * scalarWeight(text.length));
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  while (pattern.test(text)) found += 1;
  return found;
}

/**
 * Checks what the parser would copy while it reads a text.
 * @throws LimitExceeded `expansion`
 */
export function checkCopying(index: EventIndex, limits: YamlLimits): void {
  const copying = new Copying(index, limits);
  const open: number[] = [];
  for (const [i, { type }] of index.events.entries()) {
    if (type === EVENT_ID.POP) copying.close(open.pop() as number, i);
    else if (type !== EVENT_ID.SCALAR && type !== EVENT_ID.ALIAS) open.push(i);
  }
}

class Copying {
  readonly #index: EventIndex;
  readonly #limits: YamlLimits;
  /** The number of direct members of each closed collection, including those that it merges. */
  readonly #widths = new Map<number, number>();
  #copied = 0;

  constructor(index: EventIndex, limits: YamlLimits) {
    this.#index = index;
    this.#limits = limits;
  }

  /** Counts what the parser copies for the direct members of a collection, which ends at the event `end`. */
  close(node: number, end: number): void {
    const { type } = this.#event(node);
    if (type === EVENT_ID.DOCUMENT) return;
    const children = this.#index.childrenOf(node);
    const width = type === EVENT_ID.MAPPING ? this.#mapping(children, end) : this.#list(children);
    this.#widths.set(node, width);
  }

  #list(items: readonly number[]): number {
    return items.reduce((sum, item) => sum + this.#weightOf(item), 1);
  }

  #mapping(children: readonly number[], end: number): number {
    let width = 1;
    for (let i = 0; i < children.length; i += 2) {
      const [key, value] = [children[i] as number, children[i + 1] as number];
      width += 1;
      if (this.#merges(key)) for (const source of this.#sourcesOf(value)) width += this.#copy(source, end);
      else if (this.#event(this.#target(key)).type === EVENT_ID.SEQUENCE) this.#copy(key, end);
    }
    return width;
  }

  /** Whether a key may be `<<`, disregarding its tag. */
  #merges(key: number): boolean {
    const event = this.#event(key);
    return event.type === EVENT_ID.SCALAR && this.#index.text.slice(event.valueStart, event.valueEnd) === '<<';
  }

  /** `<<` has one mapping or a list of mappings as its value. */
  #sourcesOf(value: number): readonly number[] {
    const target = this.#target(value);
    return this.#event(target).type === EVENT_ID.SEQUENCE ? this.#index.childrenOf(target) : [value];
  }

  #copy(node: number, end: number): number {
    const width = this.#widthOf(node, end);
    this.#copied += width;
    if (this.#copied > this.#limits.maxExpandedSize)
      throw new LimitExceeded('expansion', startOf(this.#event(node), this.#index.text) ?? 0);
    return width;
  }

  /** The width of a collection that is still open is at most the number of its events so far. */
  #widthOf(node: number, end: number): number {
    const target = this.#target(node);
    return this.#widths.get(target) ?? end - target;
  }

  /** What an item adds to the text of a list that is a key. */
  #weightOf(item: number): number {
    const event = this.#event(this.#target(item));
    return event.type === EVENT_ID.SCALAR ? scalarWeight(event.valueEnd - event.valueStart) : 1;
  }

  #target(node: number): number {
    return this.#index.targets.get(node) ?? node;
  }

  #event(node: number): Event {
    return this.#index.events[node] as Event;
  }
}
