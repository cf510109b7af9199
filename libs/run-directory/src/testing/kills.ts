import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { RunAddress } from '@reins/contracts';
import { draft } from '@reins/journal/testing';
import { verifyRunDirectory } from '../views/rebuild.ts';
import type { Fault } from './faulty-fs.ts';
import type { RunsFolder } from './runs-folder.ts';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));

/** What the store acknowledged to a writer before it ended. */
export interface Acknowledged {
  readonly position: number;
  readonly hash: string;
  /** How many writes it made; only if it ended by itself. */
  readonly writes?: number;
}

export interface WriterPlan {
  readonly seed: number;
  /** Kill it after this many acknowledged commits … */
  readonly killAfter?: number;
  /** … and this many milliseconds. */
  readonly delayMs?: number;
  /** It ends by itself after this many commits. */
  readonly commits?: number;
  readonly fault?: Fault;
  /** The write at which the fault happens. */
  readonly at?: number;
}

/** Starts a writer and waits until it has ended. */
export async function runWriter(runs: RunsFolder, run: RunAddress, plan: WriterPlan): Promise<Acknowledged> {
  const { seed, killAfter, delayMs = 0, commits = Infinity, fault = 'before', at = Infinity } = plan;
  const args = [runs.root, run.runId, seed, commits, fault, at].map(String);
  const child = spawn(process.execPath, ['--conditions=reins-source', '--no-warnings', WRITER, ...args], {
    stdio: ['ignore', 'pipe', fault === 'full' ? 'ignore' : 'inherit'],
  });
  let acknowledged = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    acknowledged += text;
    if (killAfter === undefined || acknowledged.split('\n').length <= killAfter) return;
    if (delayMs === 0) child.kill('SIGKILL');
    else setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  await once(child, 'close');
  return lastOf(acknowledged);
}

function lastOf(acknowledged: string): Acknowledged {
  const lines = acknowledged.split('\n').slice(0, -1);
  const [, writes] = /^(\d+) writes$/.exec(lines.at(-1) ?? '') ?? [];
  const [position = '0', hash = ''] = (lines.at(writes === undefined ? -1 : -2) ?? '').split(' ');
  return { position: Number(position), hash, ...(writes !== undefined && { writes: Number(writes) }) };
}

/**
 * Checks a run after its writer was killed: all acknowledged entries exist, the next writer can continue, and no manual
 * step is needed.
 * @returns the problems; empty when there are none
 */
export async function problemsAfter(runs: RunsFolder, run: RunAddress, acknowledged: Acknowledged): Promise<string[]> {
  const wrong: string[] = [];
  const { entries, position } = await runs.store.load(run);
  if (position < acknowledged.position)
    wrong.push(`${acknowledged.position} was acknowledged, but the journal ends at ${position}`);
  if (acknowledged.position > 0 && entries[acknowledged.position - 1]?.hash !== acknowledged.hash)
    wrong.push(`${acknowledged.position} is another entry`);
  if (position > 0) await runs.append(run, draft('PROCESS_LOG', { message: 'alive' }));
  const folders = position > 0 ? ['state', 'blobs'] : [];
  const unfinished = (await Promise.all(folders.map((folder) => readdir(runs.path(run, folder))))).flat();
  if (unfinished.some((name) => name.startsWith('.'))) wrong.push('unfinished files are left');
  const problems = position > 0 ? await verifyRunDirectory(runs.store, run) : [];
  for (const { path, message } of problems) if (/^(journal|blobs)/.test(path ?? '')) wrong.push(message);
  return wrong;
}
