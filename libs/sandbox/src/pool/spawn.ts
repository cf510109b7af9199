import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Isolation, type LaunchOptions, launchIsolated } from '@reins/os-sandbox';

const MAIN = fileURLToPath(new URL(`../child/main${extname(import.meta.url)}`, import.meta.url));
/** Whether this process runs from the sources, as in tests. The child then does so, too. */
const FROM_SOURCE = MAIN.endsWith('.ts');

/** The pipes of a child. */
export interface SpawnedChild {
  readonly process: ChildProcess;
  readonly input: NodeJS.WritableStream;
  readonly output: NodeJS.ReadableStream;
}

/** The parts of the machine that a child can use. */
export interface ChildPlace {
  /** The folder of the process. The child may read it, and the code of Reins. */
  readonly root: string;
  /** Folders inside the root that the process cannot see. */
  readonly hidden: readonly string[];
  /** How the operating system confines it. */
  readonly isolation: Isolation;
}

/** @param memoryMb limit of the heap */
export function spawnChild({ root, hidden, isolation }: ChildPlace, memoryMb: number): SpawnedChild {
  const args = [
    '--permission',
    ...[root, ...ownFolders()].map((folder) => `--allow-fs-read=${folder}`),
    '--disallow-code-generation-from-strings',
    '--disable-sigusr1',
    '--no-warnings',
    `--max-old-space-size=${memoryMb}`,
    ...(FROM_SOURCE ? ['--conditions=reins-source'] : []),
    MAIN,
  ];
  const process = launchIsolated(isolation, {
    ...childConfinement({ root, hidden }, memoryMb),
    args,
  });
  const [input, , , output] = process.stdio;
  return { process, input: input as NodeJS.WritableStream, output: output as NodeJS.ReadableStream };
}

/** The permissions of a child, independent of its program. */
export function childConfinement({ root, hidden }: Omit<ChildPlace, 'isolation'>, memoryMb: number): LaunchOptions {
  return {
    command: process.execPath,
    // None of our variables. The time zone is visible to a process.
    env: { TZ: 'UTC' },
    readable: [root, ...ownFolders().filter((folder) => existsSync(folder))],
    hidden,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    // In addition to the heap, for buffers and for Node.js itself.
    limits: { dataKb: (2 * memoryMb + 1024) * 1024, openFiles: 256 },
  };
}

let folders: readonly string[] | undefined;

/** The folders of the packages that the child consists of, and the links to them. */
function ownFolders(): readonly string[] {
  folders ??= foldersOf(packagesOf('@reins/replay', import.meta.url, new Map()));
  return folders;
}

/** A package and all its dependencies, with the path of each package.json. */
function packagesOf(name: string, from: string | URL, found: Map<string, string>): ReadonlyMap<string, string> {
  const manifest = findPackageJSON(name, from);
  if (manifest === undefined || found.has(name)) return found;
  found.set(name, manifest);
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> };
  for (const needed of Object.keys(dependencies)) packagesOf(needed, pathToFileURL(manifest), found);
  return found;
}

function foldersOf(packages: ReadonlyMap<string, string>): string[] {
  const own = dirname(dirname(dirname(MAIN)));
  const found = [...packages.values()].map(dirname);
  const linked = [...packages.keys()].map((name) => join(dirname(dirname(own)), 'node_modules', name));
  return [...new Set([own, ...found, ...found.map((folder) => realpathSync(folder)), ...linked])];
}
