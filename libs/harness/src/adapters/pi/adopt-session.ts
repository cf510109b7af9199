import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HarnessRun } from '../../contract.ts';
import { objectOf } from '../../execution/json.ts';

/**
 * Makes the session of an earlier execution one of this working folder. pi keeps sessions by the folder that they began in, and
 * finds none elsewhere; every stage of ours has a folder of its own. Where there is no such session, pi begins one under its id.
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
