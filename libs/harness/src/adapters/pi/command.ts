import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@reins/contracts';

const PACKAGE = '@earendil-works/pi-coding-agent';

/** How pi is started: the bundled pi with this Node.js, or the command in `harness.pi.command`. */
export interface PiCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export function piCommand(settings: JsonObject): PiCommand {
  const { command } = settings;
  if (typeof command === 'string' && command !== '') return { command, args: [] };
  return { command: process.execPath, args: [bundled()] };
}

/** The executable of the pi package. */
function bundled(): string {
  const manifest = packageFile();
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { pi: string } };
  return join(dirname(manifest), bin.pi);
}

/** The package does not export its manifest, so this searches the parent folders of its main module. */
function packageFile(): string {
  const main = fileURLToPath(import.meta.resolve(PACKAGE));
  for (let folder = dirname(main); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (folder.endsWith(join('@earendil-works', 'pi-coding-agent'))) return manifest;
  }
  throw new Error(`the package folder of ${PACKAGE} was not found`);
}
