/**
 * DBOS Transact with its own Postgres: workflows of local steps (`{runs, steps}`), or short workflows behind an HTTP server
 * (`{requests, open, steps}`). `--no-fsync`: Postgres does not sync to the disk, like NATS between two syncs.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { ensureDatabase, startPostgresServer } from '@reins/embedded';
import { serve } from './contestant.ts';
import { keepOpen } from './keep-open.ts';

const NO_FSYNC = { fsync: 'off', full_page_writes: 'off' };

const dir = await mkdtemp(join(tmpdir(), 'reins-bench-dbos-'));
await chmod(dir, 0o755); // As root, Postgres runs under another account, which needs access.
const postgres = await startPostgresServer({ dir, ...(process.argv.includes('--no-fsync') && { settings: NO_FSYNC }) });

const counter = DBOS.registerWorkflow(
  async (steps: number) => {
    let sum = 0;
    for (let n = 0; n < steps; n += 1) sum += await DBOS.runStep(async () => n, { name: 'add' });
    return sum;
  },
  { name: 'counter' },
);

/** Returns the same answer as our stage on `echo`. */
const answering = DBOS.registerWorkflow(
  async (input: string, steps: number) => {
    let text = '';
    for (let n = 0; n < steps; n += 1)
      text = await DBOS.runStep(async () => input.replace('@echo answer ', ''), { name: 'answer' });
    return text;
  },
  { name: 'answering' },
);

DBOS.setConfig({ name: 'bench', systemDatabaseUrl: await ensureDatabase(postgres.url, 'bench'), logLevel: 'error' });
await DBOS.launch();

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { input, steps } = JSON.parse(body) as { input: string; steps: number };
  try {
    response.end(JSON.stringify(await answering(input, steps)));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

async function short(steps: number): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ input: '@echo answer Done.', steps }) });
  if ((await response.text()) !== '"Done."') throw new Error(`DBOS responded with ${response.status}`);
}

serve(
  async ({ runs = 0, steps = 0, requests = 0, open = 0 }) => {
    if (requests > 0) return keepOpen(requests, open, () => short(steps));
    await Promise.all(Array.from({ length: runs }, () => counter(steps)));
  },
  async () => {
    server.close();
    await DBOS.shutdown();
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  },
);
