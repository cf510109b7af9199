import type { Quarantine, SuspectWork } from '@reins/bus';
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
    const { name } = this.#machine;
    const marks = this.#server.crashMarks;
    const crashes = await this.#machine
      .call('mark', () => {
        const { crashes: before = 0, owner } = marks.get(key) ?? {};
        const others = owner === name ? before - 1 : before;
        if (others < MAX_MARKED_CRASHES) marks.set(key, { crashes: others + 1, owner: name });
        return others;
      })
      .catch(() => 0);
    if (crashes >= MAX_MARKED_CRASHES) return giveUp(true);
    const clear = () => this.#machine.call('unmark', () => void marks.delete(key)).catch(() => {});
    await handle(clear);
    void clear();
  }
}
