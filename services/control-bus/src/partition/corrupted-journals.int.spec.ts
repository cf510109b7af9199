import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Bus, type BusObserver, connectBus, DeadLetters, lastMessageOn, provision, readSubject } from '@reins/bus';
import { type AnyEvent, journalSubject, type RunAddress } from '@reins/contracts';
import { decodeCommit, type Entry, type EntryDraft, encodeCommit, sealEntries, verifyEntries } from '@reins/journal';
import { openBusJournals } from '@reins/journal/bus';
import { startNats, type TestNats, until } from '@reins/testing';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { BusOwner, headOf, PARTITIONS, processesOf, submission } from '../testing/bus-owner.ts';

let nats: TestNats;
let bus: Bus;
let owner: BusOwner;

const PROCESSES: Readonly<Record<string, BuiltInProcess['run']>> = {
  thrice: async (context) => [await context.signal('go'), await context.signal('go'), await context.signal('go')],
};
const start = () => BusOwner.start(nats.url, processesOf(PROCESSES), { inMemoryMs: 20 });

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
});

beforeEach(async () => {
  owner = await start();
});

afterEach(() => owner.stop());

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

const runOf = (runId: string): RunAddress => ({ workspaceId: 'ws', runId });
const subjectOf = (runId: string): string => journalSubject(runOf(runId), PARTITIONS);

/** Number of entries whose verification would hold the event loop for long if it did not yield. */
const LONG = 20_000;

/** Measures the most CPU time of this thread between two turns of its timers, in µs. Waiting does not count. */
function longestTurn(): () => number {
  let [longest, turns] = [0, 0];
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.threadCpuUsage();
    turns += 1;
  }, 1).unref();
  return () => {
    clearInterval(timer);
    return turns > 0 ? longest : Number.POSITIVE_INFINITY;
  };
}

/** The published facts of a run, of one type. */
async function factsOf(runId: string, type: string): Promise<AnyEvent[]> {
  const found: AnyEvent[] = [];
  for await (const { data } of readSubject(bus, 'EVENTS', `${type}.ws.${runId}`))
    found.push(JSON.parse(new TextDecoder().decode(data)));
  return found;
}

const fact = (runId: string, type: string, count = 1): Promise<AnyEvent[]> =>
  until(async () => {
    const found = await factsOf(runId, type);
    return found.length >= count && found;
  });

/** Submits a run and sends it this many signals, one commit each. It then waits for the next signal. */
async function waits(runId: string, signals: number): Promise<void> {
  await owner.send(submission(runId, { process: 'thrice' }));
  for (let n = 0; n < signals; n += 1) {
    await fact(runId, 'runtime.request.waiting', n + 1);
    await signal(runId, `${n}`);
  }
  await fact(runId, 'runtime.request.waiting', signals + 1);
}

const signal = (runId: string, key: string): Promise<void> =>
  owner.send({ type: 'command.signal', ...headOf(runId), idempotencyKey: key, name: 'go', payload: key });

/** The sequences of a run's commits. */
async function sequences(runId: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { seq } of readSubject(bus, 'JOURNAL', subjectOf(runId))) found.push(seq);
  return found;
}

const remove = async (runId: string, at: number): Promise<void> => {
  await bus.jsm.streams.deleteMessage('JOURNAL', (await sequences(runId)).at(at) ?? 0);
};

/** Expects exactly one terminal fact: `journal_corrupt`. */
async function failure(runId: string): Promise<void> {
  await fact(runId, 'runtime.request.failed');
  expect(await factsOf(runId, 'runtime.request.failed')).toEqual([
    expect.objectContaining({
      requestId: runId,
      sessionId: runId,
      agentId: 'main',
      error: expect.objectContaining({ code: 'journal_corrupt', hint: expect.stringContaining('repair-journal') }),
    }),
  ]);
}

describe('a run whose journal is corrupted', () => {
  test('fails with the next owner of its partition, while other runs continue', async () => {
    const ids = Array.from({ length: 6 }, (_, n) => `other-${n}`);
    for (const id of ['garbage', ...ids]) await waits(id, 0);
    await owner.stop();
    await bus.js.publish(subjectOf('garbage'), 'not a commit');
    await bus.js.publish('journal.0.unowned', 'not a journal');
    await bus.js.publish('journal.1.unowned', 'not a journal');
    owner = await start();
    await failure('garbage');
    const output = ['one', 'two', 'three'];
    for (const id of ids) for (const one of output) await signal(id, one);
    for (const id of ids) expect(await fact(id, 'runtime.request.completed')).toMatchObject([{ output }]);
  });

  test('fails when a message arrives; its commits stay, and a late message changes nothing', async () => {
    await waits('hole', 2);
    await owner.stop();
    await remove('hole', 1);
    const before = await sequences('hole');
    owner = await start();
    await signal('hole', 'more');
    await failure('hole');
    expect((await sequences('hole')).slice(0, before.length)).toEqual(before);
    const sealed = await sequences('hole');
    expect(sealed).toHaveLength(before.length + 1);
    await owner.stop();
    owner = await start();
    await signal('hole', 'late');
    await until(async () => !(await lastMessageOn(bus, 'INBOX', 'inbox.*.command.signal.ws.hole')));
    expect(await sequences('hole')).toEqual(sealed);
    await failure('hole');
    expect(await new DeadLetters(bus).list()).toEqual([]);
  });

  test('continues when only the last commit is lost, because the rest is a valid journal', async () => {
    await waits('shorter', 2);
    await owner.stop();
    await remove('shorter', -1);
    owner = await start();
    for (const one of ['again', 'last']) await signal('shorter', one);
    expect(await fact('shorter', 'runtime.request.completed')).toMatchObject([{ output: ['0', 'again', 'last'] }]);
  });

  test('lets the next request of its session run', async () => {
    await waits('first', 0);
    await owner.send(submission('next', { process: 'thrice', sessionId: 'first' }));
    await until(async () => !(await lastMessageOn(bus, 'INBOX', 'inbox.*.command.run.submit.ws.next')));
    await owner.stop();
    await bus.js.publish(subjectOf('first'), '');
    owner = await start();
    await failure('first');
    await fact('next', 'runtime.request.started');
  });

  test('fails when its first commit is lost', async () => {
    await waits('headless', 1);
    await owner.stop();
    await remove('headless', 0);
    owner = await start();
    await signal('headless', 'two');
    await failure('headless');
    expect(await factsOf('headless', 'runtime.request.started')).toHaveLength(1);
  });

  test('fails without holding the event loop, which renews the lease, even with a very long journal', async () => {
    await waits('long', 0);
    const { entries } = await (await openBusJournals(bus, { partitions: PARTITIONS })).load(runOf('long'));
    const message = 'x'.repeat(200);
    const drafts = Array.from({ length: LONG }, (): EntryDraft => ({ type: 'PROCESS_LOG', data: { message } }));
    const last = entries.at(-1) as Entry;
    const more = sealEntries(last, drafts, last.recordedAt);
    for (let at = 0; at < more.length; at += 500)
      await bus.js.publish(subjectOf('long'), encodeCommit({ entries: more.slice(at, at + 500), epoch: 1 }));
    await bus.js.publish(subjectOf('long'), 'not a commit');
    const all: Entry[] = JSON.parse(JSON.stringify([...entries, ...more]));
    const since = process.threadCpuUsage();
    expect(verifyEntries(all, runOf('long'))).toEqual([]);
    const { user, system } = process.threadCpuUsage(since);
    const longest = longestTurn();
    await signal('long', 'more');
    await failure('long');
    expect(longest()).toBeLessThan((user + system) / 3);
  });

  test('does not fail when a newer version wrote the journal: messages wait for that version', async () => {
    await waits('newer', 2);
    await owner.stop();
    const { head } = await (await openBusJournals(bus, { partitions: PARTITIONS })).load(runOf('newer'));
    const dreamt = [{ type: 'RUN_DREAMT', data: {} } as unknown as EntryDraft];
    const entries = sealEntries(head, dreamt, new Date().toISOString());
    await bus.js.publish(subjectOf('newer'), encodeCommit({ entries, epoch: 1 }));
    owner = await start();
    const handled = Promise.withResolvers<string>();
    const observer: BusObserver = {
      runInContext: (_, work) => work(),
      handled: ({ outcome }) => handled.resolve(outcome),
    };
    Object.assign(owner.bus, { observer });
    await signal('newer', 'last');
    expect(await handled.promise).toBe('failed');
    // Stands for the newer version: remove its entry, so that the run continues.
    await remove('newer', -1);
    expect(await fact('newer', 'runtime.request.completed')).toMatchObject([{ output: ['0', '1', 'last'] }]);
  });

  test.each(['beginning', 'middle'])(
    'does not end again when its end was published and only its %s is left',
    async (left) => {
      const id = `only-${left}`;
      await waits(id, 2);
      await signal(id, 'last');
      await fact(id, 'runtime.request.completed');
      await owner.stop();
      const commits = await sequences(id);
      await remove(id, -1);
      if (left === 'middle') await remove(id, 0);
      await bus.js.publish(subjectOf(id), 'what its end has become');
      for (const key of ['late', 'later']) {
        owner = await start();
        await signal(id, key);
        await until(async () => !(await lastMessageOn(bus, 'INBOX', `inbox.*.command.signal.ws.${id}`)));
        await owner.stop();
      }
      expect(await factsOf(id, 'runtime.request.failed')).toEqual([]);
      expect(await factsOf(id, 'runtime.request.completed')).toHaveLength(1);
      expect(await sequences(id)).toHaveLength(commits.length + (left === 'middle' ? 0 : 1));
      expect(await new DeadLetters(bus).list()).toEqual([]);
    },
  );

  test('publishes nothing again when the hash of its last entry has changed', async () => {
    await waits('flipped', 2);
    await signal('flipped', 'last');
    await fact('flipped', 'runtime.request.completed');
    await owner.stop();
    const { data = new Uint8Array() } = (await lastMessageOn(bus, 'JOURNAL', subjectOf('flipped'))) ?? {};
    const { entries, epoch } = decodeCommit(data);
    const end = { ...(entries.at(-1) as Entry), hash: 'f'.repeat(64) };
    await remove('flipped', -1);
    await bus.js.publish(subjectOf('flipped'), encodeCommit({ entries: [...entries.slice(0, -1), end], epoch }));
    owner = await start();
    await signal('flipped', 'late');
    await until(async () => !(await lastMessageOn(bus, 'INBOX', 'inbox.*.command.signal.ws.flipped')));
    expect(await new DeadLetters(bus).list()).toEqual([]);
    expect(await factsOf('flipped', 'runtime.request.completed')).toHaveLength(1);
    expect(await factsOf('flipped', 'runtime.request.failed')).toEqual([]);
  });

  test('can be forked from the part that a repair keeps', async () => {
    await waits('broken', 1);
    await owner.stop();
    await bus.js.publish(subjectOf('broken'), 'not a commit');
    owner = await start();
    await failure('broken');
    const fork = { requestId: 'broken', at: 4 };
    await owner.send(submission('repaired', { process: 'thrice', fork }));
    await fact('repaired', 'runtime.request.waiting');
    for (const one of ['1', '2']) await signal('repaired', one);
    expect(await fact('repaired', 'runtime.request.completed')).toMatchObject([{ output: ['0', '1', '2'] }]);
  });
});
