import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type LaunchOptions, launchBehind, type Wall } from '@reins/os-sandbox';

const MAIN = fileURLToPath(new URL(`../child/main${extname(import.meta.url)}`, import.meta.url));
/** Whether we run from the sources, as tests do; then the child does. */
const FROM_SOURCE = MAIN.endsWith('.ts');

/** The pipes of a child. */
export interface SpawnedChild {
  readonly process: ChildProcess;
  readonly input: NodeJS.WritableStream;
  readonly output: NodeJS.ReadableStream;
}

/** What a child gets of the machine. */
export interface ChildPlace {
  /** The folder of the process: it may read this and our own code. */
  readonly root: string;
  /** Folders in it that the process does not see. */
  readonly hidden: readonly string[];
  /** How the operating system confines it. */
  readonly wall: Wall;
}

/** @param memoryMb of its heap */
export function spawnChild({ root, hidden, wall }: ChildPlace, memoryMb: number): SpawnedChild {
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
  const process = launchBehind(wall, {
    ...childConfinement({ root, hidden }, memoryMb),
    args,
  });
  const [input, , , output] = process.stdio;
  return { process, input: input as NodeJS.WritableStream, output: output as NodeJS.ReadableStream };
}

/** What the operating system leaves to a child, whatever program it is. */
export function childConfinement({ root, hidden }: Omit<ChildPlace, 'wall'>, memoryMb: number): LaunchOptions {
  return {
    command: process.execPath,
    // Nothing of ours. The time zone is part of what a process can see.
    env: { TZ: 'UTC' },
    readable: [root, ...ownFolders().filter((folder) => existsSync(folder))],
    hidden,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    // Next to the heap, for buffers and for what Node.js needs.
    limits: { dataKb: (2 * memoryMb + 1024) * 1024 },
  };
}

let folders: readonly string[] | undefined;

/** The folders of the packages that the child itself consists of, and what leads to them. */
function ownFolders(): readonly string[] {
  folders ??= foldersOf(packagesOf('@reins/replay', import.meta.url, new Map()));
  return folders;
}

/** A package and all that it needs: where each is described. */
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
