import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JsonObject, ReinsError } from '@reins/contracts';

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

/**
 * Finds the manifest of pi. The package does not export it, so this searches the parent folders of its main module. A
 * host without pi offers other runtimes only.
 * @throws ReinsError `harness_start_failed`
 */
export function packageFile(resolve: (name: string) => string = (name) => import.meta.resolve(name)): string {
  const main = mainModule(resolve);
  for (let folder = dirname(main); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (folder.endsWith(join('@earendil-works', 'pi-coding-agent'))) return manifest;
  }
  throw new Error(`the package folder of ${PACKAGE} was not found`);
}

function mainModule(resolve: (name: string) => string): string {
  try {
    return fileURLToPath(resolve(PACKAGE));
  } catch {
    throw new ReinsError({
      code: 'harness_start_failed',
      message: 'pi is not installed',
      hint: `Run \`npm install ${PACKAGE}\`, or set harness.pi.command to an installed pi.`,
    });
  }
}
