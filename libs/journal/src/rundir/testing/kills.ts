import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { RunAddress } from '@reins/contracts';
import { draft } from '../../testing/journals.ts';
import { verifyRunDirectory } from '../rebuild.ts';
import type { Fault } from './faulty-fs.ts';
import type { RunsFolder } from './runs-folder.ts';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));

/** What a writer was told is stored before it ended. */
export interface Told {
  readonly position: number;
  readonly hash: string;
  /** How many writes it made; only of one that came to its end. */
  readonly writes?: number;
}

export interface WriterPlan {
  readonly seed: number;
  /** It is killed when it has told so many commits, at whatever it does then … */
  readonly killAfter?: number;
  /** … so many milliseconds later. */
  readonly delayMs?: number;
  /** It ends by itself after so many. */
  readonly commits?: number;
  readonly fault?: Fault;
  /** The write at which the fault happens. */
  readonly at?: number;
}

/** Starts a writer, and waits for its end, however that comes. */
export async function runWriter(runs: RunsFolder, run: RunAddress, plan: WriterPlan): Promise<Told> {
  const { seed, killAfter, delayMs = 0, commits = Infinity, fault = 'before', at = Infinity } = plan;
  const args = [runs.root, run.runId, seed, commits, fault, at].map(String);
  const child = spawn(process.execPath, ['--conditions=reins-source', '--no-warnings', WRITER, ...args], {
    stdio: ['ignore', 'pipe', fault === 'full' ? 'ignore' : 'inherit'],
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (killAfter === undefined || told.split('\n').length <= killAfter) return;
    if (delayMs === 0) child.kill('SIGKILL');
    else setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  await once(child, 'close');
  return lastOf(told);
}

function lastOf(told: string): Told {
  const lines = told.split('\n').slice(0, -1);
  const [, writes] = /^(\d+) writes$/.exec(lines.at(-1) ?? '') ?? [];
  const [position = '0', hash = ''] = (lines.at(writes === undefined ? -1 : -2) ?? '').split(' ');
  return { position: Number(position), hash, ...(writes !== undefined && { writes: Number(writes) }) };
}

/**
 * Whether a run outlived the end of its writer: all that was told is there, the next one can go on, and nothing needs a hand.
 * @returns what is wrong, in plain words; empty = nothing
 */
export async function wrongAfter(runs: RunsFolder, run: RunAddress, told: Told): Promise<string[]> {
  const wrong: string[] = [];
  const { entries, position } = await runs.store.load(run);
  if (position < told.position) wrong.push(`${told.position} was told, and the journal ends at ${position}`);
  if (told.position > 0 && entries[told.position - 1]?.hash !== told.hash)
    wrong.push(`${told.position} is another entry`);
  if (position > 0) await runs.append(run, draft('PROCESS_LOG', { message: 'alive' }));
  const folders = position > 0 ? ['state', 'blobs'] : [];
  const unfinished = (await Promise.all(folders.map((folder) => readdir(runs.path(run, folder))))).flat();
  if (unfinished.some((name) => name.startsWith('.'))) wrong.push('unfinished files are left');
  const problems = position > 0 ? await verifyRunDirectory(runs.store, run) : [];
  for (const { path, message } of problems) if (/^(journal|blobs)/.test(path ?? '')) wrong.push(message);
  return wrong;
}
