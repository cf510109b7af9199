import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus } from '@reins/bus';
import { startNatsCluster, type TestNatsCluster, tempDir, until } from '@reins/testing';
import { CHECKS } from './checks/check-all.ts';
import { workspaceFiles } from './load/workspaces.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { evidenceOf } from './testing/evidence-of.ts';
import { type EndedRequest, runWorkspace } from './testing/submit-request.ts';

let cluster: TestNatsCluster;
let running: RunningSystem;
let bus: Bus;

beforeAll(async () => {
  cluster = await startNatsCluster();
  const natsUrl = cluster.urls.join(',');
  const settings = { nats: { replicas: 3 } };
  running = await startRunningSystem({ dir: await tempDir('cluster'), replicas: 1, log: () => {}, settings, natsUrl });
  bus = await connectBus({ servers: cluster.urls, name: 'test' });
});

afterAll(async () => {
  await bus?.close();
  await running?.stop();
  await cluster?.stop();
});

const submit = (count: number): Promise<EndedRequest>[] =>
  Array.from({ length: count }, (_, n) =>
    runWorkspace(running, 'cluster', workspaceFiles('cluster'), { input: `@echo delay 500\n@echo answer ${n}` }),
  );

test('requests continue on three NATS servers while one is killed and restarted, without violations', async () => {
  const before = submit(10);
  await Promise.race(before);
  const { cluster: where } = await bus.jsm.streams.info('JOURNAL');
  const leader = cluster.nodes[Number(where?.leader?.slice(1))];
  await leader?.kill();
  const meanwhile = submit(10);
  expect((await Promise.all([...before, ...meanwhile])).map(({ status }) => status)).toEqual(
    Array(20).fill('completed'),
  );
  await leader?.restart();
  expect((await Promise.all(submit(5))).map(({ status }) => status)).toEqual(Array(5).fill('completed'));
  const isWhole = async (): Promise<boolean> => {
    const { cluster: now, config } = await bus.jsm.streams.info('JOURNAL');
    return config.num_replicas === 3 && now?.replicas?.filter(({ current }) => current).length === 2;
  };
  await until(isWhole, { what: 'the restarted server has the journals', timeoutMs: 240_000 });
  const evidence = await evidenceOf(running);
  const { journals, effects, facts, stages, dead } = CHECKS;
  const broken = Object.values({ journals, effects, facts, stages, dead }).map((check) =>
    check?.({ accepted: [], refused: [], evidence }),
  );
  expect(broken).toEqual([[], [], [], [], []]);
  expect(evidence.journals.size).toBe(25);
});
