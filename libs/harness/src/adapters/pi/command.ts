import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { JsonObject } from '@reins/contracts';

const PACKAGE = '@earendil-works/pi-coding-agent';

/** How pi is started: the bundled one with our own Node, or what `harness.pi.command` names. */
export interface PiCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export function piCommand(settings: JsonObject): PiCommand {
  const { command } = settings;
  if (typeof command === 'string' && command !== '') return { command, args: [] };
  return { command: process.execPath, args: [bundled()] };
}

/** The executable of the package that this one depends on. */
function bundled(): string {
  const manifest = packageFile();
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { pi: string } };
  return join(dirname(manifest), bin.pi);
}

/** The package's manifest is none of its exports, so it is looked for beside its main module. */
function packageFile(): string {
  const main = fileURLToPath(import.meta.resolve(PACKAGE));
  for (let folder = dirname(main); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (folder.endsWith(join('@earendil-works', 'pi-coding-agent'))) return manifest;
  }
  throw new Error(`${PACKAGE} is not where its main module says`);
}

/** @throws when it does not start, or not in time */
export async function piVersion({ command, args }: PiCommand, path: string, deadlineMs: number): Promise<string> {
  const options = { timeout: deadlineMs, env: { PATH: path, PI_OFFLINE: '1', HOME: '/nonexistent' } };
  const { stdout, stderr } = await promisify(execFile)(command, [...args, '--version'], options);
  return (stdout.trim() || stderr.trim()).split('\n')[0] ?? '';
}
