import { access } from 'node:fs/promises';
import { afterEach, expect, test } from '@jest/globals';
import { identityOf } from '@reins/service-kit/folders';
import { until } from '@reins/testing';
import { HostSecrets } from '../secrets/host-secrets.ts';
import { RequestPool, type RequestPoolOptions } from './request-pool.ts';
import { RequestServices } from './request-services.ts';
import { ServicesHost } from './services-host.ts';

const host = new ServicesHost({
  ...{ owner: await identityOf(process.pid), path: process.env.PATH ?? '', environment: {} },
  setups: { setupCacheMb: 0, setupCacheDays: 1 },
  secrets: new HostSecrets({ host: { secrets: [] }, providers: {} } as never, {}),
});
const ended: (() => void)[] = [];
const pools: RequestPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function newPool(options: Partial<RequestPoolOptions> = {}): RequestPool {
  const watchEnd: RequestPoolOptions['watchEnd'] = (_, callback) => {
    ended.push(callback);
    return () => undefined;
  };
  const pool = new RequestPool({ create: () => RequestServices.create(host), canKeep: true, watchEnd, ...options });
  pools.push(pool);
  return pool;
}

const id = (requestId: string) => ({ workspaceId: 'ws1', requestId });

/** Leaves new services to the next stage of a request. */
async function keepNew(pool: RequestPool, requestId: string, ready = Promise.resolve()): Promise<RequestServices> {
  const services = await pool.create();
  await pool.settle(services);
  pool.keep(id(requestId), services, ready);
  return services;
}

const exists = ({ folder }: RequestServices): Promise<boolean> =>
  access(folder.root).then(
    () => true,
    () => false,
  );
const folderIsRemoved = (services: RequestServices): Promise<true> => until(async () => !(await exists(services)));

test('the next stage of a request gets its services once the earlier stage has left nothing behind', async () => {
  const pool = newPool();
  const disposed = Promise.withResolvers<void>();
  const kept = await keepNew(pool, 'a', disposed.promise);
  expect(await pool.takeIdle(id('b'))).toBeUndefined();
  let taken: RequestServices | undefined;
  const taking = pool.takeIdle(id('a')).then((services) => {
    taken = services;
  });
  await new Promise(setImmediate);
  expect(taken).toBeUndefined();
  disposed.resolve();
  await taking;
  expect(taken).toBe(kept);
  expect(await pool.takeIdle(id('a'))).toBeUndefined();
});

test('services end with their request', async () => {
  const services = await keepNew(newPool(), 'a');
  expect(await exists(services)).toBe(true);
  ended.at(-1)?.();
  await folderIsRemoved(services);
});

test('services end after the idle limit', async () => {
  await folderIsRemoved(await keepNew(newPool({ idleMs: 1 }), 'a'));
});

test('the oldest services end when too many wait', async () => {
  const pool = newPool({ maxIdle: 2 });
  const [first, second, third] = [await keepNew(pool, 'a'), await keepNew(pool, 'b'), await keepNew(pool, 'c')];
  await folderIsRemoved(first);
  expect(await Promise.all([second, third].map(exists))).toEqual([true, true]);
});

test('services end with their stage if the host cannot suspend them', async () => {
  const pool = newPool({ canKeep: false });
  await folderIsRemoved(await keepNew(pool, 'a'));
  expect(await pool.takeIdle(id('a'))).toBeUndefined();
});

test('services end with the host, idle or not', async () => {
  const pool = newPool();
  const [idle, used] = [await keepNew(pool, 'a'), await pool.create()];
  await pool.close();
  expect(await Promise.all([idle, used].map(exists))).toEqual([false, false]);
  await folderIsRemoved(await keepNew(pool, 'b'));
});
