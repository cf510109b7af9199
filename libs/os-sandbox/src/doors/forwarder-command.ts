import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OwnDescriptors } from '../confinement.ts';
import { doorsOf, type Network, servedPortsOf } from './door.ts';

const MAIN = fileURLToPath(new URL(`forwarder${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url));
const MANIFEST = join(dirname(dirname(dirname(MAIN))), 'package.json');

/** What the forwarder needs to run. */
export const forwarderFiles = (): string[] => [process.execPath, MAIN, MANIFEST].filter((path) => existsSync(path));

/**
 * The command that opens the doors inside the sandbox, and then starts the given command.
 * @param descriptors the number of descriptors that it passes on
 * @param own its own descriptors: the environment of the given command, as text that ends each entry with NUL, and the
 *   listeners of the served ports
 */
export function forwarderCommand(
  network: Network,
  descriptors: number,
  { environment, listeners }: OwnDescriptors,
  command: readonly string[],
): string[] {
  const served = servedPortsOf(network).map(({ port }, at) => ({ port, listener: listeners + at }));
  const settings = JSON.stringify({ doors: doorsOf(network), served, descriptors, environment });
  return [process.execPath, '--no-warnings', '--max-old-space-size=64', MAIN, settings, ...command];
}
