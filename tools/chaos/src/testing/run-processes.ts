import { readdir, readFile } from 'node:fs/promises';

/** A process that a stage started, with the host that it belongs to. */
export interface RunProcess {
  readonly pid: number;
  readonly hostPid: number;
  readonly command: string;
}

const TOKEN = /REINS_RUN_TOKEN=(\d+)-/;

/** What runs now for stages of this machine: a stage's processes carry a token that names the pid of its host. */
export async function runProcesses(): Promise<RunProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(runProcess));
  return found.filter((each) => each !== undefined);
}

async function runProcess(pid: number): Promise<RunProcess | undefined> {
  try {
    const [environ, command] = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    );
    const [, hostPid] = TOKEN.exec(environ ?? '') ?? [];
    return hostPid === undefined ? undefined : { pid, hostPid: Number(hostPid), command: command ?? '' };
  } catch {
    return undefined; // it has ended meanwhile, or is another account's
  }
}
