/**
 * A Restate server with one SDK endpoint: workflows of local steps (`{runs, steps}`), or short workflows (`{requests, open, steps}`), all over
 * the HTTP ingress. `--no-fsync`: the log does not sync to the disk, like NATS between two syncs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http2';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, GuardedProcess } from '@reins/embedded';
import { createEndpointHandler, type WorkflowContext, workflow } from '@restatedev/restate-sdk';
import { serve } from './contestant.ts';
import { keepOpen } from './keep-open.ts';

/** Four partitions instead of 24, which is faster on two cores. */
const PARTITIONS = '4';
const READY_TIMEOUT_MS = 40_000;

const counter = workflow({
  name: 'counter',
  handlers: {
    run: async (ctx: WorkflowContext, { steps }: { steps: number }) => {
      let sum = 0;
      for (let n = 0; n < steps; n += 1) sum += await ctx.run('add', () => n);
      return sum;
    },
  },
});

/** Returns the same answer as our stage on `echo`. */
const answering = workflow({
  name: 'answering',
  handlers: {
    run: async (ctx: WorkflowContext, { input, steps }: { input: string; steps: number }) => {
      let text = '';
      for (let n = 0; n < steps; n += 1) text = await ctx.run('answer', () => input.replace('@echo answer ', ''));
      return text;
    },
  },
});

const endpoint = createServer(createEndpointHandler({ services: [counter, answering] }));
await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
const dir = await mkdtemp(join(tmpdir(), 'reins-bench-restate-'));
const require = createRequire(import.meta.url);
const server = await GuardedProcess.start({
  command: join(
    dirname(require.resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/package.json`)),
    'bin/restate-server',
  ),
  args: ['--no-logo'],
  cwd: dir,
  env: {
    RESTATE_BASE_DIR: dir,
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_DEFAULT_NUM_PARTITIONS: PARTITIONS,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_LOG_FILTER: 'error',
    ...(process.argv.includes('--no-fsync') && { RESTATE_LOG_SERVER__ROCKSDB_DISABLE_WAL_FSYNC: 'true' }),
  },
});
const output: string[] = [];
for (const stream of [server.stdout, server.stderr]) stream.on('data', (part) => output.push(String(part)));
await registerEndpoint();

/** Registers the endpoint, retrying until the server has started. */
async function registerEndpoint(): Promise<void> {
  const { port } = endpoint.address() as AddressInfo;
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const done = await post(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${port}` }).catch(
      () => undefined,
    );
    if (done?.ok) return;
    if (performance.now() > deadline)
      throw new Error(`Restate did not start: ${done && (await done.text())} ${output.join('\n')}`);
    await sleep(200);
  }
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

let started = 0;
async function run(name: string, input: object): Promise<unknown> {
  started += 1;
  const response = await post(`http://127.0.0.1:${ingress}/${name}/w${started}/run`, input);
  if (!response.ok) throw new Error(`Restate responded with ${response.status}: ${await response.text()}`);
  return response.json();
}

serve(
  async ({ runs = 0, steps = 0, requests = 0, open = 0 }) => {
    if (requests > 0)
      return keepOpen(requests, open, async () => {
        if ((await run('answering', { input: '@echo answer Done.', steps })) !== 'Done.')
          throw new Error('unexpected answer');
      });
    await Promise.all(Array.from({ length: runs }, () => run('counter', { steps })));
  },
  async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  },
);
