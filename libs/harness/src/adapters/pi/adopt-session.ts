import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HarnessRun } from '../../contract.ts';
import { objectOf } from '../../execution/json.ts';

/**
 * Moves the session of an earlier execution to this working directory. pi finds a session only in the folder where it was
 * started, and every stage has its own folder. If the session does not exist, pi starts one with its id.
 */
export async function adoptSession({ sessionDir, harnessSessionId, workDir }: HarnessRun): Promise<void> {
  if (harnessSessionId === undefined) return;
  const names = (await readdir(sessionDir)).filter((name) => name.endsWith('.jsonl'));
  await Promise.all(names.map((name) => adopt(join(sessionDir, name), harnessSessionId, workDir)));
}

async function adopt(path: string, id: string, workDir: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const end = text.indexOf('\n');
  const header = headerOf(text.slice(0, end < 0 ? undefined : end));
  if (header.type !== 'session' || header.id !== id) return;
  await writeFile(path, `${JSON.stringify({ ...header, cwd: workDir })}${end < 0 ? '\n' : text.slice(end)}`);
}

function headerOf(line: string) {
  try {
    return objectOf(JSON.parse(line));
  } catch {
    return {};
  }
}
