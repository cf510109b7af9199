/** Something that will happen. */
interface Planned {
  readonly at: number;
  readonly order: number;
  /** Undefined when it was called off. @returns whether code of a machine ran */
  action: (() => boolean) | undefined;
}

/** Virtual time: what was planned happens one after the other, and nothing else does. */
export class Scheduler {
  /** Milliseconds since 1970. */
  now = Date.parse('2026-01-01T00:00:00.000Z');
  #heap: Planned[] = [];
  #order = 0;
  /** How many planned things have happened. */
  steps = 0;

  /** @returns what calls it off */
  after(ms: number, action: () => boolean): () => void {
    this.#order += 1;
    const planned: Planned = { at: this.now + Math.max(0, ms), order: this.#order, action };
    push(this.#heap, planned);
    return () => {
      planned.action = undefined;
    };
  }

  /** Lets one thing happen, and everything that follows from it at once. False = nothing is planned. */
  async step(): Promise<boolean> {
    for (let next = pop(this.#heap); next; next = pop(this.#heap)) {
      if (!next.action) continue;
      this.now = Math.max(this.now, next.at);
      this.steps += 1;
      if (next.action()) await atRest();
      return true;
    }
    return false;
  }
}

const before = (a: Planned, b: Planned): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

function push(heap: Planned[], planned: Planned): void {
  let place = heap.push(planned) - 1;
  while (place > 0) {
    const up = (place - 1) >> 1;
    if (!before(planned, heap[up] as Planned)) break;
    heap[place] = heap[up] as Planned;
    place = up;
  }
  heap[place] = planned;
}

function pop(heap: Planned[]): Planned | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || !last) return first;
  let place = 0;
  for (;;) {
    let down = 2 * place + 1;
    if (down >= heap.length) break;
    if (down + 1 < heap.length && before(heap[down + 1] as Planned, heap[down] as Planned)) down += 1;
    if (!before(heap[down] as Planned, last)) break;
    heap[place] = heap[down] as Planned;
    place = down;
  }
  heap[place] = last;
  return first;
}

/**
 * Resolves when every promise reaction that could run has run. Two turns of the event loop: the replay engine itself takes one now and then
 * (`quiescent` of `@reins/replay`), which begins within the first.
 */
export function atRest(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
