import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bus, connectBus, openBucket, provision, readSubject, type StoredMessage } from '@reins/bus';
import { type AnyEvent, HEADERS, type SessionRecord } from '@reins/contracts';
import { applyEntry, emptyRun, factsOf, foldRun, isEnded, type RunState } from '@reins/journal';
import { openBusJournals } from '@reins/journal/bus';
import { startNats, type TestNats, tempDir, until } from '@reins/testing';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { BusOwner, headOf, PARTITIONS, processesOf, submission } from '../testing/bus-owner.ts';

const STREAMS = ['JOURNAL', 'EVENTS', 'INBOX', 'KV_sessions'] as const;
type Stream = (typeof STREAMS)[number];

/** Every non-empty set of streams. */
const COMBINATIONS = Array.from({ length: 2 ** STREAMS.length - 1 }, (_, index) =>
  STREAMS.filter((_, bit) => ((index + 1) >> bit) & 1),
);

const PROCESSES: Readonly<Record<string, BuiltInProcess['run']>> = {
  twice: async (context) => [await context.signal('go'), await context.signal('go')],
};
const TERMINAL = ['completed', 'failed', 'cancelled'].map((end) => `runtime.request.${end}`);
/** Accepted before the copy was made. `next` waits in the session of `first`. */
const EARLY = ['first', 'next', 'alone', 'half'] as const;
const ALL = [...EARLY, 'later'] as const;

let dir: string;
let nats: TestNats;
let bus: Bus;
let owner: BusOwner;

const dataIn = (folder: string): string => join(folder, 'store', 'jetstream', '$G', 'streams');
const copyOf = (name: string): string => join(dir, name);
const startOwner = () => BusOwner.start(nats.url, processesOf(PROCESSES));
const sessionOf = (id: string): string => (id === 'next' ? 'first' : id);
const submit = (id: string): Promise<void> =>
  owner.send(submission(id, { process: 'twice', sessionId: sessionOf(id) }));
const signal = (id: string, key: string): Promise<void> =>
  owner.send({ type: 'command.signal', ...headOf(id), idempotencyKey: key, name: 'go', payload: key });

async function connect(): Promise<void> {
  bus = await connectBus({ servers: nats.url, name: 'test' });
}

/** Stops the server, changes its data, and starts it again. */
async function whileStopped(change: () => Promise<void>): Promise<void> {
  await owner.stop();
  await bus.close();
  await nats.stop();
  await change();
  await nats.restart();
  await connect();
}

async function bodiesOf(id: string, type: string): Promise<AnyEvent[]> {
  const found: AnyEvent[] = [];
  for await (const { data } of readSubject(bus, 'EVENTS', `${type}.ws.${id}`))
    found.push(JSON.parse(new TextDecoder().decode(data)));
  return found;
}

const waits = (id: string, count: number) =>
  until(async () => (await bodiesOf(id, 'runtime.request.waiting')).length >= count, {
    what: () => `${id} to wait for the signal ${count}; the owner logged: ${owner.warnings.join('\n')}`,
  });

async function endsOf(id: string): Promise<readonly AnyEvent[]> {
  return (await Promise.all(TERMINAL.map((type) => bodiesOf(id, type)))).flat();
}

async function stateOf(id: string): Promise<RunState> {
  const run = { workspaceId: 'ws', runId: id };
  const { entries } = await openBusJournals(bus, { partitions: PARTITIONS }).then((journals) => journals.load(run));
  return foldRun(run, entries);
}

const runningOf = async (id: string): Promise<string | undefined> =>
  (await (await openBucket<SessionRecord>(bus, 'sessions')).get(`ws.${sessionOf(id)}`))?.value.running?.requestId;

beforeAll(async () => {
  dir = await tempDir('set-back');
  nats = await startNats();
  await connect();
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
  owner = await startOwner();
  for (const id of EARLY) await submit(id);
  for (const id of ['first', 'alone']) {
    await waits(id, 1);
    await signal(id, 'one');
    await waits(id, 2);
  }
  await waits('half', 1);
  await whileStopped(() => cp(nats.dir, copyOf('before'), { recursive: true }));
  owner = await startOwner();
  await submit('later');
  await signal('first', 'two');
  await until(async () => (await endsOf('first')).length === 1);
  await waits('next', 1);
  await waits('later', 1);
  await signal('half', 'one');
  await waits('half', 2);
  await signal('next', 'one');
  await waits('next', 2);
  await signal('alone', 'two');
  await until(async () => (await endsOf('alone')).length === 1);
  await whileStopped(() => cp(nats.dir, copyOf('after'), { recursive: true }));
  owner = await startOwner();
}, 120_000);

afterAll(async () => {
  await owner.stop();
  await bus.close();
  await nats.stop();
});

/** The facts that follow from the journal of a run and are not in the event log. */
async function missingFactsOf(id: string): Promise<readonly string[]> {
  const run = { workspaceId: 'ws', runId: id };
  const { entries } = await (await openBusJournals(bus, { partitions: PARTITIONS })).load(run);
  const state = emptyRun(run);
  const derived = entries.flatMap((entry) => {
    applyEntry(state, entry);
    return factsOf(state, entry);
  });
  const stored = new Set((await messagesOf(id)).map((message) => message.msgId));
  return derived.filter(({ id: factId }) => !stored.has(factId)).map(({ body }) => body.type);
}

/** The facts of a run in the event log. */
async function messagesOf(id: string): Promise<readonly StoredMessage[]> {
  const found: StoredMessage[] = [];
  for (const filter of [`runtime.*.*.ws.${id}`, `control.directive.emitted.ws.${id}`])
    for await (const message of readSubject(bus, 'EVENTS', filter)) found.push(message);
  return found;
}

async function setBack(streams: readonly Stream[]): Promise<void> {
  for (const name of await readdir(nats.dir)) await rm(join(nats.dir, name), { recursive: true });
  await cp(copyOf('after'), nats.dir, { recursive: true });
  for (const stream of streams) await setBackOne(stream);
}

/** Sets one stream back, and leaves the others as they are. */
async function setBackOne(stream: Stream): Promise<void> {
  await rm(join(dataIn(nats.dir), stream), { recursive: true });
  await cp(join(dataIn(copyOf('before')), stream), join(dataIn(nats.dir), stream), { recursive: true });
}

const isDamaged = ({ paused }: RunState): boolean => paused?.error?.code === 'run_damaged';

describe('after a restore that set back', () => {
  test.each(COMBINATIONS.map((streams) => [streams.join(', '), streams] as const))(
    '%s, every request has one end or is damaged, and every session has a live run',
    async (_, streams) => {
      await whileStopped(() => setBack(streams));
      owner = await startOwner();
      // Every session has a live run, or none.
      await until(async () => {
        const running = (await Promise.all(ALL.map(runningOf))).filter((id) => id !== undefined);
        const states = await Promise.all(running.map(stateOf));
        return states.every((state) => state.head.version > 0 && !isEnded(state));
      });
      for (const id of ALL) {
        // The copy does not know the last one. The others start when their session is free.
        if (id !== 'later') await until(async () => (await stateOf(id)).head.version > 0);
        const state = await stateOf(id);
        if (state.head.version === 0 || isEnded(state) || isDamaged(state)) continue;
        // Its process continues from its journal.
        for (const key of ['again', 'more']) await signal(id, key);
        await until(async () => isEnded(await stateOf(id)) || isDamaged(await stateOf(id)));
      }
      for (const id of EARLY) {
        const state = await stateOf(id);
        if (!isDamaged(state)) await until(async () => (await endsOf(id)).length === 1);
        else await owner.send({ type: 'command.run.cancel', ...headOf(id), idempotencyKey: 'cancel' });
        await until(async () => (await endsOf(id)).length === 1);
      }
      for (const id of ALL) expect({ id, ends: (await endsOf(id)).length <= 1 }).toEqual({ id, ends: true });
      for (const id of ALL) await until(async () => (await missingFactsOf(id)).length === 0);
      await until(async () => (await Promise.all(EARLY.map(runningOf))).every((id) => id === undefined));
    },
    60_000,
  );

  test('EVENTS, lost facts are published late and say so', async () => {
    await whileStopped(() => setBack(['EVENTS']));
    owner = await startOwner();
    await until(async () => (await missingFactsOf('first')).length === 0);
    const late = (await messagesOf('first')).filter((message) => message.header(HEADERS.repaired) === 'true');
    expect(late.map(({ subject }) => subject)).toContain('runtime.request.completed.ws.first');
    expect(owner.repairs.get('fact')).toBeGreaterThan(0);
    expect(await endsOf('first')).toHaveLength(1);
  }, 60_000);

  test('JOURNAL, a run whose facts are ahead of its journal waits for an operator, who can resume it', async () => {
    await whileStopped(() => setBack(['JOURNAL']));
    owner = await startOwner();
    await until(async () => isDamaged(await stateOf('half')));
    // Facts follow their entries: the last fact may still be the earlier wait for a signal.
    const waiting = await until(async () =>
      (await bodiesOf('half', 'runtime.request.waiting')).find(
        (body) => 'reason' in body && body.reason === 'operator',
      ),
    );
    expect(waiting).toMatchObject({ error: { code: 'run_damaged' } });
    await owner.send({ type: 'command.run.resume', ...headOf('half'), idempotencyKey: 'resume' });
    for (const key of ['again', 'more']) await signal('half', key);
    await until(async () => (await endsOf('half')).length === 1);
    // The whole journal of `next` is lost.
    await until(async () => (await endsOf('next')).length === 1);
    expect(await bodiesOf('next', 'runtime.request.failed')).toMatchObject([{ error: { code: 'run_damaged' } }]);
    // The event log has the end of `first`.
    await until(async () => isEnded(await stateOf('first')));
    expect((await stateOf('first')).end?.status).toBe('completed');
    expect(await endsOf('first')).toHaveLength(1);
  }, 60_000);

  test('JOURNAL, and later EVENTS, an end that was taken from the event log is published again', async () => {
    await whileStopped(() => setBack(['JOURNAL']));
    owner = await startOwner();
    await until(async () => isEnded(await stateOf('first')));
    expect((await stateOf('first')).end?.status).toBe('completed');
    await whileStopped(() => setBackOne('EVENTS'));
    owner = await startOwner();
    await until(async () => (await endsOf('first')).length === 1);
    expect(await endsOf('first')).toMatchObject([{ type: 'runtime.request.completed' }]);
  }, 60_000);
});
