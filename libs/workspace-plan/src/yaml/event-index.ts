import { EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml-5/browser';

/** Thrown for a text that js-yaml 5 rejects. It rejects a few texts that js-yaml 4 accepts. */
export class EventsRejected extends Error {
  readonly offset: number;
  readonly isTooDeep: boolean;

  constructor({ reason, mark }: YAMLException) {
    super(reason);
    this.offset = mark?.position ?? 0;
    this.isTooDeep = reason.startsWith('nesting exceeded');
  }
}

/**
 * The nodes of a file in text order, with the offsets that js-yaml 5 reports. A node is identified by the index of its
 * first event.
 */
export class EventIndex {
  readonly text: string;
  readonly events: readonly Event[];
  /** The root node of each document. */
  readonly roots: readonly number[];
  /** For each node, the index after its last event. */
  readonly #ends: readonly number[];
  #targets: ReadonlyMap<number, number> | undefined;

  /**
   * @param maxDepth the maximum nesting, in which a scalar counts as a level
   * @throws EventsRejected
   */
  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.events = eventsOf(text, maxDepth);
    const roots: number[] = [];
    const ends: number[] = [];
    const open: number[] = [];
    for (const { type } of this.events) {
      const next = ends.push(ends.length + 1); // the end of a node without children
      if (type === EVENT_ID.SCALAR || type === EVENT_ID.ALIAS) continue;
      if (type === EVENT_ID.POP) ends[open.pop() as number] = next;
      else open.push(next - 1);
      if (type === EVENT_ID.DOCUMENT) roots.push(next);
    }
    this.roots = roots;
    this.#ends = ends;
  }

  /** The nodes directly in a collection. Those of a mapping are alternating keys and values. */
  childrenOf(node: number): number[] {
    const children: number[] = [];
    for (let i = node + 1; this.events[i]?.type !== EVENT_ID.POP; i = this.#ends[i] as number) children.push(i);
    return children;
  }
  /** The node that each alias refers to. */
  get targets(): ReadonlyMap<number, number> {
    this.#targets ??= targetsIn(this.events, this.text);
    return this.#targets;
  }
}

function eventsOf(text: string, maxDepth: number): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    if (error instanceof YAMLException) throw new EventsRejected(error);
    throw error;
  }
}

function targetsIn(events: readonly Event[], text: string): ReadonlyMap<number, number> {
  const targets = new Map<number, number>();
  const anchors = new Map<string, number>();
  for (const [i, event] of events.entries()) {
    if (event.type === EVENT_ID.DOCUMENT) anchors.clear();
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP || event.anchorStart < 0) continue;
    const name = text.slice(event.anchorStart, event.anchorEnd);
    if (event.type !== EVENT_ID.ALIAS) anchors.set(name, i);
    else if (anchors.has(name)) targets.set(i, anchors.get(name) as number);
  }
  return targets;
}
