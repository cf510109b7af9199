import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removePackage } from '../packages/unused-packages.ts';
import { recordOf, sizeOfSetup } from './kept-setup.ts';

/** How much the results of setups may use, and for how long. */
export interface SetupLimits {
  readonly maxBytes: number;
  /** How long an unused result is kept. */
  readonly maxAgeMs: number;
}

/** A setup ends earlier. What is older was left by a host that was killed. */
const LEFT_OVER_MS = 3_600_000;

interface Found {
  readonly name: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/**
 * Removes the results that no run has used for a long time, then the least recently used ones until the rest fits into
 * its limit, and what killed hosts left. Never rejects: the next call tries again.
 */
export async function removeUnusedSetups(dir: string, limits: SetupLimits, now: number): Promise<void> {
  const found: Found[] = [];
  for (const name of await folders(dir)) {
    const folder = join(dir, name);
    const bytes = name.startsWith('.') ? undefined : await sizeOfSetup(folder);
    const stat = await lstat(bytes === undefined ? folder : recordOf(folder)).catch(() => undefined);
    if (!stat) continue;
    if (bytes !== undefined) found.push({ name, bytes, usedAt: stat.mtimeMs });
    else if (now - stat.mtimeMs > LEFT_OVER_MS) await removePackage(dir, name);
  }
  for (const { name } of excess(found, limits, now)) await removePackage(dir, name);
}

const folders = async (dir: string): Promise<readonly string[]> => {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
};

function excess(found: readonly Found[], { maxBytes, maxAgeMs }: SetupLimits, now: number): readonly Found[] {
  let bytes = 0;
  return found
    .toSorted((a, b) => b.usedAt - a.usedAt)
    .filter((each) => {
      bytes += each.bytes;
      return bytes > maxBytes || now - each.usedAt > maxAgeMs;
    });
}
