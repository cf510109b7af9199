import { crashesOf, NO_MARK, type Quarantine, type SuspectWork, withAttempt, withoutAttempt } from '@reins/bus';
import type { Server } from '../server/server.ts';
import type { Machine } from './machine.ts';

/** With the first, unmarked crash this makes five. */
const MAX_MARKED_CRASHES = 4;

/** Stands in for `Quarantine` of `@reins/bus`: suspected messages run one at a time, each after a mark is stored. */
export class SimulatedQuarantine implements Pick<Quarantine, 'admit'> {
  readonly #machine: Machine;
  readonly #server: Server;
  readonly #name: string;
  #turn: Promise<unknown> = Promise.resolve();
  #attempts = 0;

  constructor(machine: Machine, server: Server, name: string) {
    this.#machine = machine;
    this.#server = server;
    this.#name = name;
  }

  admit(seq: number, work: SuspectWork): Promise<void> {
    const done = this.#turn.then(() => this.#run(`${this.#name}.${seq}`, work));
    this.#turn = done.catch(() => {});
    return done;
  }

  async #run(key: string, { handle, giveUp }: SuspectWork): Promise<void> {
    const { name: by } = this.#machine;
    const marks = this.#server.crashMarks;
    this.#attempts += 1;
    const id = `${by}.${this.#name}.${this.#attempts}`;
    const crashes = await this.#machine
      .call('mark', () => {
        const mark = marks.get(key) ?? NO_MARK;
        marks.set(key, withAttempt(mark, { id, by }));
        return crashesOf(mark, by);
      })
      .catch(() => 0);
    const unmark = () => {
      const { attempts } = withoutAttempt(marks.get(key) ?? NO_MARK, id);
      if (attempts.length > 0) marks.set(key, { attempts });
      else marks.delete(key);
    };
    const clear = () => this.#machine.call('unmark', unmark).catch(() => {});
    await (crashes < MAX_MARKED_CRASHES ? handle(clear) : giveUp(true));
    void clear();
  }
}
