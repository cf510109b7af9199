import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { System } from '@reins/supervisor';
import { Observer } from '../evidence/observer.ts';
import { storedRequests } from '../evidence/stored-requests.ts';

/** A time that a restored copy knows nothing of, in milliseconds since the epoch. */
export interface LostTime {
  readonly from: number;
  readonly to: number;
}

/** What a restore did. */
export interface Restore extends LostTime {
  /** Ids of the requests that the copy had. Some of them got their response in the lost time. */
  readonly known: ReadonlySet<string>;
}

/** These read the log, and go on while NATS is set back. Other services may hold answers that refer to lost blobs. */
const READERS: ReadonlySet<string> = new Set(['gateway', 'projector', 'narrator']);
const SERVERS: ReadonlySet<string> = new Set(['nats', 'postgres']);

/**
 * Sets NATS back: the first call copies its data, the next one restores the copy. Clients write on as soon as NATS runs
 * again, so the log may grow past what its readers have read.
 * @param dir the state folder of the system
 * @returns what a call did that restored
 */
export async function setBack(system: System, dir: string): Promise<Restore | undefined> {
  const data = join(dir, 'data', 'nats');
  const copy = join(dir, 'set-back');
  await system.ready('nats');
  const isCopied = existsSync(copy);
  const names = system.status().map(({ name }) => name);
  const workers = isCopied ? names.filter((name) => !READERS.has(name) && !SERVERS.has(name)) : [];
  const releases = await Promise.all([...workers, 'nats'].map((name) => system.hold(name)));
  try {
    // The load keeps the event loop busy: asynchronous copying would take minutes.
    if (!isCopied) {
      cpSync(data, copy, { recursive: true });
      return undefined;
    }
    const { birthtimeMs: from } = statSync(copy);
    rmSync(data, { recursive: true });
    cpSync(copy, data, { recursive: true });
    rmSync(copy, { recursive: true });
    const to = Date.now();
    // The workers are still held: nothing has been removed from the copy.
    releases.at(-1)?.();
    await system.ready('nats');
    return { from, to, known: await requestsIn(system) };
  } finally {
    for (const release of releases) release();
    await system.ready('nats');
  }
}

async function requestsIn(system: System): Promise<ReadonlySet<string>> {
  const observer = await Observer.connect(system);
  return storedRequests(observer).finally(() => observer.close());
}
