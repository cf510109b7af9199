/** A scheduled action. */
interface ScheduledAction {
  readonly at: number;
  readonly order: number;
  /** Undefined when it was cancelled. @returns whether code of a machine ran */
  action: (() => boolean) | undefined;
}

/** Virtual time: runs scheduled actions one at a time. */
export class Scheduler {
  /** Milliseconds since 1970. */
  now = Date.parse('2026-01-01T00:00:00.000Z');
  #heap: ScheduledAction[] = [];
  #order = 0;
  /** Number of executed actions. */
  steps = 0;

  /** @returns a function that cancels the action */
  after(ms: number, action: () => boolean): () => void {
    this.#order += 1;
    const scheduled: ScheduledAction = { at: this.now + Math.max(0, ms), order: this.#order, action };
    push(this.#heap, scheduled);
    return () => {
      scheduled.action = undefined;
    };
  }

  /** Runs the next action, and all promise reactions that follow. @returns false when nothing is scheduled */
  async step(): Promise<boolean> {
    for (let next = pop(this.#heap); next; next = pop(this.#heap)) {
      if (!next.action) continue;
      this.now = Math.max(this.now, next.at);
      this.steps += 1;
      if (next.action()) await quiescent();
      return true;
    }
    return false;
  }
}

const before = (a: ScheduledAction, b: ScheduledAction): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

function push(heap: ScheduledAction[], scheduled: ScheduledAction): void {
  let place = heap.push(scheduled) - 1;
  while (place > 0) {
    const up = (place - 1) >> 1;
    if (!before(scheduled, heap[up] as ScheduledAction)) break;
    heap[place] = heap[up] as ScheduledAction;
    place = up;
  }
  heap[place] = scheduled;
}

function pop(heap: ScheduledAction[]): ScheduledAction | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || !last) return first;
  let place = 0;
  for (;;) {
    let down = 2 * place + 1;
    if (down >= heap.length) break;
    if (down + 1 < heap.length && before(heap[down + 1] as ScheduledAction, heap[down] as ScheduledAction)) down += 1;
    if (!before(heap[down] as ScheduledAction, last)) break;
    heap[place] = heap[down] as ScheduledAction;
    place = down;
  }
  heap[place] = last;
  return first;
}

/**
 * Resolves when every pending promise reaction has run. This takes two turns of the event loop: the replay
 * engine may wait for a turn itself (`quiescent` of `@reins/replay`), and starts to do so within the first.
 */
export function quiescent(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
