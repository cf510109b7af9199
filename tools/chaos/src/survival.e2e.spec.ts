import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBucket } from '@reins/bus';
import { partitionOf } from '@reins/contracts';
import { verifyProjections } from '@reins/projector';
import { openDatabase } from '@reins/store';
import { tempDir, until } from '@reins/testing';
import { CHECKS } from './checks/check-all.ts';
import { Observer } from './evidence/observer.ts';
import { upload, workspaceFiles } from './load/workspaces.ts';
import { connectOperator } from './system/connect.ts';
import { textField } from './system/gateway.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { evidenceOf } from './testing/evidence-of.ts';
import { listRunProcesses, type RunProcess } from './testing/run-processes.ts';

const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];
let dir: string;
let running: RunningSystem;

beforeAll(async () => {
  dir = await tempDir('survival');
  running = await startRunningSystem({ dir, replicas: 2, log: () => {}, scenarios: ['shell'] });
});
afterAll(() => running?.stop());

interface Submission {
  readonly input: string;
  readonly execute?: 'echo' | 'pi';
}

async function submit({ input, execute = 'echo' }: Submission): Promise<string> {
  const provider = execute === 'pi' ? 'shell' : 'scripted';
  const revision = await upload(running.gateway, provider, workspaceFiles(provider, { provider }));
  const workspace = { id: provider, revision };
  const response = await running.gateway.post('/requests', { workspace, input, stages: { execute } });
  expect(response).toMatchObject({ status: 202 });
  return textField(response, 'requestId');
}

const statusOf = async (requestId: string): Promise<string> =>
  textField(await running.gateway.get(`/requests/${requestId}`), 'status');

const ended = (requestId: string): Promise<string> =>
  until(
    async () => {
      const view = await running.gateway.get(`/requests/${requestId}`);
      const status = textField(view, 'status');
      if (!ENDED.includes(status)) throw new Error(JSON.stringify(view).slice(0, 2_000));
      return status;
    },
    { what: `the end of ${requestId}`, timeoutMs: 300_000 },
  );

/** Answers questions until the request has ended. A host that lost the stage may ask again. */
const answered = (requestId: string, answer: string): Promise<string> =>
  until(
    async () => {
      const view = await running.gateway.get(`/requests/${requestId}`);
      const status = textField(view, 'status');
      if (ENDED.includes(status)) return status;
      const { waiting } = view.body as { readonly waiting?: { readonly effectId: string } };
      const given = { effectId: waiting?.effectId, answer };
      if (waiting) await running.gateway.post(`/requests/${requestId}/answers`, given, crypto.randomUUID());
      throw new Error(JSON.stringify(view).slice(0, 2_000));
    },
    { what: `the end of ${requestId}`, timeoutMs: 300_000, intervalMs: 1_000 },
  );

/** The number of a request's facts of this type. */
async function countOf(requestId: string, type: string): Promise<number> {
  const observer = await Observer.connect(running.system);
  try {
    const subjects = await observer.subjects('EVENTS', `${type}.>`);
    const mine = [...subjects].filter(([subject]) => subject.split('.').includes(requestId));
    return mine.reduce((sum, [, count]) => sum + count, 0);
  } finally {
    await observer.close();
  }
}

async function expectReadModelIsRight(): Promise<void> {
  const bus = await connectOperator(running.system, 'survival');
  const db = openDatabase({ url: running.system.databaseUrl });
  try {
    await until(
      async () => {
        const report = await verifyProjections(bus, db);
        if (!report.ok) throw new Error(JSON.stringify(report).slice(0, 2_000));
        return true;
      },
      { what: 'a read model that matches the event log', timeoutMs: 120_000, intervalMs: 500 },
    );
  } finally {
    await Promise.all([bus.close(), db.destroy()]);
  }
}

test('requests are accepted and end while Postgres is down; the read model catches up', async () => {
  const release = await running.system.hold('postgres');
  const requests = await Promise.all(['a', 'b', 'c'].map((input) => submit({ input })));
  expect(await Promise.all(requests.map(ended))).toEqual(['completed', 'completed', 'completed']);
  release();
  await running.system.ready('postgres');
  await expectReadModelIsRight();
});

const stageRuns = (request: string): Promise<unknown> =>
  until(async () => (await countOf(request, 'runtime.stage.started')) > 0, { what: 'a stage that runs' });

/** The tools of this system only: other systems on the machine may run tools as well. */
const tools = (): Promise<RunProcess[]> =>
  listRunProcesses(
    running.system.status().flatMap(({ name, pid }) => (name.startsWith('harness-host') && pid ? [pid] : [])),
  );

const sleepers = async (): Promise<RunProcess[]> =>
  (await tools()).filter(({ command }) => command.startsWith('sleep\x00'));

test('a host that was frozen too long loses its stage: its tools are stopped and its work is ignored', async () => {
  const request = await submit({ execute: 'pi', input: `CMD='sleep 300'` });
  const first = await until(async () => (await sleepers())[0], { what: 'the tool of the stage', timeoutMs: 120_000 });
  process.kill(first.hostPid, 'SIGSTOP');
  try {
    const second = await until(async () => (await sleepers()).find(({ hostPid }) => hostPid !== first.hostPid), {
      what: 'the next attempt, on the other host',
      timeoutMs: 120_000,
    });
    expect(second.hostPid).not.toBe(first.hostPid);
  } finally {
    process.kill(first.hostPid, 'SIGCONT');
  }
  await until(async () => (await tools()).every(({ hostPid, pid }) => hostPid !== first.hostPid || pid !== first.pid), {
    what: 'the end of the tool of the frozen host',
  });
  await running.gateway.post(`/requests/${request}/cancel`, {}, 'enough');
  expect(await ended(request)).toBe('cancelled');
  expect(await countOf(request, 'runtime.stage.failed')).toBe(1);
  expect(await sleepers()).toEqual([]);
});

/** The replica of the control bus that owns the partition of a request. Owners are named by their process id. */
async function ownerOf(requestId: string): Promise<{ readonly name: string; readonly pid: number }> {
  const bus = await connectOperator(running.system, 'owners');
  try {
    const leases = await openBucket<{ readonly owner: string }>(bus, 'leases');
    const lease = await leases.get(`p.${partitionOf(requestId)}`);
    const replica = running.system.status().find(({ pid }) => lease?.value.owner.startsWith(`control-bus-${pid}-`));
    if (!replica?.pid) throw new Error(`nothing owns the partition of ${requestId}`);
    return { name: replica.name, pid: replica.pid };
  } finally {
    await bus.close();
  }
}

test('an owner that was frozen too long loses its runs: another owner ends them, and it appends and publishes nothing', async () => {
  const requests = await Promise.all(
    Array.from({ length: 12 }, (_, n) => submit({ input: `@echo delay 20000\n@echo answer ${n}` })),
  );
  // Freeze the owner while every request is still unfinished, on a slow machine too.
  const begun = await Promise.any(requests.map(async (id) => stageRuns(id).then(() => id)));
  const { name: frozen, pid } = await ownerOf(begun);
  process.kill(pid, 'SIGSTOP');
  try {
    // Answers of hosts stay in the sockets of the frozen owner meanwhile.
    expect(await Promise.all(requests.map(ended))).toEqual(requests.map(() => 'completed'));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await running.system.ready(frozen);
  expect(await ended(await submit({ input: 'after' }))).toBe('completed');
  const seen = await evidenceOf(running);
  const taken = requests.filter((id) => new Set(seen.journals.get(id)?.epochs).size > 1);
  expect(taken).not.toEqual([]);
  const { journals, effects, facts, stages } = CHECKS;
  const found = Object.values({ journals, effects, facts, stages }).map((check) =>
    check?.({ accepted: [], refused: [], evidence: seen }),
  );
  expect(found).toEqual([[], [], [], []]);
  expect(running.system.status().find(({ name }) => name === frozen)).toMatchObject({ pid, state: 'ready' });
});

test('a log that was restored from an earlier copy is detected: lost requests fail, everything else ends', async () => {
  const nats = join(dir, 'data', 'nats');
  const kept = await submit({ input: 'before' });
  expect(await ended(kept)).toBe('completed');
  const waiting = await submit({ input: '@echo ask colour?' });
  await until(async () => (await statusOf(waiting)) === 'waiting', { what: 'a question' });
  const slow = await submit({ input: '@echo delay 5000\n@echo answer slow' });
  await stageRuns(slow);
  const restart = await running.system.hold('nats');
  await cp(nats, join(dir, 'copy'), { recursive: true });
  restart();
  await running.system.ready('nats');

  const lost = await submit({ input: 'lost' });
  expect(await ended(lost)).toBe('completed');
  const cutOff = await submit({ input: '@echo delay 600000' });
  await stageRuns(cutOff);
  await expectReadModelIsRight();
  const release = await running.system.hold('nats');
  await rm(nats, { recursive: true });
  await cp(join(dir, 'copy'), nats, { recursive: true });
  release();
  await running.system.ready('nats');

  const next = await submit({ input: 'after' });
  expect(await ended(next)).toBe('completed');
  expect(await ended(slow)).toBe('completed');
  expect(await answered(waiting, 'blue')).toBe('completed');
  expect(await statusOf(kept)).toBe('completed');
  expect(await statusOf(lost)).toBe('completed');
  expect(await ended(cutOff)).toBe('failed');
  expect(await running.gateway.get(`/requests/${cutOff}`)).toMatchObject({ body: { error: { code: 'request_lost' } } });
  expect(await readFile(join(dir, 'logs', 'projector.log'), 'utf8')).toMatch(
    new RegExp(`"requests":\\["${cutOff}"\\]`),
  );
  await expectReadModelIsRight();
});
