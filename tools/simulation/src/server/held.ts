import type { HeldMessage } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import { partitionOfSubject } from './inbox.ts';
import { DUPLICATE_WINDOW_MS } from './log.ts';

interface StoredCopy {
  readonly run: RunAddress;
  readonly message: HeldMessage;
}

/** The held messages: those of the inbox stream that no consumer delivers. */
export class HeldStream {
  readonly #now: () => number;
  /** By inbox sequence: when it was stored. */
  readonly #ids = new Map<number, number>();
  #lastSeq = 0;
  /** By held sequence. */
  readonly messages = new Map<number, StoredCopy>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(run: RunAddress, message: Omit<HeldMessage, 'heldSeq'>): void {
    const known = this.#ids.get(message.seq);
    if (known !== undefined && this.#now() - known < DUPLICATE_WINDOW_MS) return;
    this.#ids.set(message.seq, this.#now());
    this.#lastSeq += 1;
    this.messages.set(this.#lastSeq, { run, message: { ...message, heldSeq: this.#lastSeq } });
  }

  read({ runId }: RunAddress): HeldMessage[] {
    const own = [...this.messages.values()].filter(({ run }) => run.runId === runId);
    return own.map(({ message }) => message).sort((a, b) => a.seq - b.seq);
  }

  remove(messages: readonly HeldMessage[]): void {
    for (const { heldSeq } of messages) this.messages.delete(heldSeq);
  }

  runs(partition: number): RunAddress[] {
    const own = [...this.messages.values()].filter(({ message }) => partitionOfSubject(message.subject) === partition);
    return [...new Map(own.map(({ run }) => [run.runId, run])).values()];
  }
}
