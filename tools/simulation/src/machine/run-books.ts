import type { Lease } from '@reins/bus';
import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import { type BookPage, isAsleep, isOpen, liveRunsAmong, nameOf, RunBook, runsOf } from '@reins/control-bus/core';
import type { Entry } from '@reins/journal';
import type { KeptPage, Server } from '../server/server.ts';
import type { Machine } from './machine.ts';

interface HeldBook {
  readonly epoch: number;
  readonly book: RunBook;
  readonly opened: PromiseWithResolvers<void>;
}

/** What `RunBooks` of the control bus does over a bus: the books are real, the stream and the bucket are the server's memory. */
export class SimulatedBooks {
  readonly #machine: Machine;
  readonly #server: Server;
  readonly #held = new Map<number, HeldBook>();
  /** Often, or never, but when it leaves. */
  readonly #pageAfter: number;

  constructor(machine: Machine, server: Server) {
    this.#machine = machine;
    this.#server = server;
    this.#pageAfter = machine.random.pick([1, 5, 1_000]);
  }

  of(lease: Lease): RunBook {
    return this.#heldUnder(lease).book;
  }

  #heldUnder(lease: Lease): HeldBook {
    const known = this.#held.get(lease.partition);
    if (known?.epoch === lease.epoch) return known;
    const book = new RunBook(() => void this.keep(lease).catch(() => undefined), this.#pageAfter);
    const held = { epoch: lease.epoch, book, opened: Promise.withResolvers<void>() };
    held.opened.promise.catch(() => undefined);
    if (!known || known.epoch < lease.epoch) this.#held.set(lease.partition, held);
    return held;
  }

  opened(lease: Lease): Promise<void> {
    return this.#heldUnder(lease).opened.promise;
  }

  async begin(lease: Lease): Promise<readonly RunAddress[]> {
    const { partition } = lease;
    const { opened } = this.#heldUnder(lease);
    try {
      const page = await this.#machine.call('claim page', () => this.#claimed(lease));
      if (page) opened.resolve();
      const { open, owned, position } = await this.#machine.call('list runs', () => this.#runsOf(partition, page));
      this.of(lease).complete(open, position);
      if (!page) await this.#write(lease, () => true);
      opened.resolve();
      return owned;
    } catch (error) {
      opened.reject(error);
      throw error;
    }
  }

  /** One that is not written is no fault: the page before is as true. */
  async keep(lease: Lease): Promise<void> {
    await this.#write(lease, (before) => !before || before.epoch <= lease.epoch).catch(() => undefined);
  }

  /** The page of the owner before, which is ours from now on. */
  #claimed({ partition, epoch }: Lease): BookPage | undefined {
    const { pages } = this.#server;
    const kept = pages.get(partition);
    if (!kept || kept.epoch > epoch) return undefined;
    pages.set(partition, { ...kept, epoch });
    return kept.page;
  }

  async #write(lease: Lease, may: (before: KeptPage | undefined) => boolean): Promise<void> {
    const page = this.of(lease).page();
    if (!page || !lease.valid) return;
    const { pages } = this.#server;
    await this.#machine.call('write page', () => {
      if (may(pages.get(lease.partition))) pages.set(lease.partition, { epoch: lease.epoch, page });
    });
  }

  #runsOf(partition: number, page: BookPage | undefined) {
    const runs = page ? runsOf(page) : new Map<string, { version: number; type?: string }>();
    const asleep = new Set<string>();
    let position = page?.seq ?? 0;
    for (const [subject, commits] of this.#server.journals.bySubject) {
      const address = parseJournalSubject(subject);
      const last = commits.at(-1);
      if (address?.partition !== partition || !last) continue;
      const name = nameOf(address);
      const entry = last.commit.entries.at(-1) as Entry;
      position = Math.max(position, last.seq);
      if (page && last.seq > page.seq && entry.type === 'RUN_ARCHIVED') runs.delete(name);
      else if (page ? last.seq > page.seq : isOpen(entry)) runs.set(name, { version: entry.version, type: entry.type });
      if (isOpen(entry) && isAsleep(entry, this.#timerVersions(partition, address))) asleep.add(name);
    }
    return liveRunsAmong(asleep, runs, position);
  }

  #timerVersions(partition: number, { workspaceId, runId }: RunAddress): (string | undefined)[] {
    const prefix = `schedule.${partition}.${workspaceId}.${runId}.`;
    const timers = [...this.#server.inbox.schedules].filter(([name]) => name.startsWith(prefix));
    return timers.map(([, { version }]) => version);
  }
}
