import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MAIN = fileURLToPath(new URL(`../child/main${extname(import.meta.url)}`, import.meta.url));
/** Whether we run from the sources, as tests do; then the child does. */
const FROM_SOURCE = MAIN.endsWith('.ts');

/**
 * Starts the child with its limits. A shell sets those of the kernel, becomes Node.js itself, and leaves a guard behind: it waits at
 * a pipe (4) whose other end is ours, and kills the child when that end closes without a word, whatever the child is busy with.
 */
const SCRIPT = [
  'ulimit -c 0',
  // Beside the heap, for buffers and for what Node.js needs. Kernels that do not count it leave it to the bound of the heap.
  'ulimit -d "$1" 2>/dev/null',
  'shift',
  '(exec 0</dev/null 1>/dev/null 2>&1 3>&-; read -r word <&4 || kill -9 $$) &',
  'exec 4<&- "$0" "$@"',
].join('\n');

/** The pipes of a child. */
export interface SpawnedChild {
  readonly process: ChildProcess;
  readonly input: NodeJS.WritableStream;
  readonly output: NodeJS.ReadableStream;
  /** A word here lets the guard go. */
  readonly guard: NodeJS.WritableStream;
}

/** @param root the only folder of the process that it may read · @param memoryMb of its heap */
export function spawnChild(root: string, memoryMb: number): SpawnedChild {
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
  const dataKb = (2 * memoryMb + 1024) * 1024;
  const child = spawn('/bin/sh', ['-c', SCRIPT, process.execPath, String(dataKb), ...args], {
    cwd: '/',
    // Nothing of ours. The time zone is part of what a process can see.
    env: { TZ: 'UTC' },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [input, , , output, guard] = child.stdio;
  return {
    process: child,
    input: input as NodeJS.WritableStream,
    output: output as NodeJS.ReadableStream,
    guard: guard as NodeJS.WritableStream,
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
