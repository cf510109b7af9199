import { randomUUID } from 'node:crypto';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lastUse } from './installed-package.ts';

/** How long an unused package is kept. */
const UNUSED_DAYS = 30;
const UNUSED_MS = UNUSED_DAYS * 24 * 3_600_000;
/** An installation ends earlier. What is older was left by a host that was killed. */
const LEFT_OVER_MS = 3_600_000;

/** Names of folders that are not packages: installations in progress, and folders that are being removed. */
const TEMPORARY = '.';

/** A new name for a folder that is not a package. */
export const temporaryName = (): string => `${TEMPORARY}${randomUUID()}-${randomUUID()}`;

/**
 * Removes packages that no stage has used for 30 days, and what killed hosts left. Never rejects: the next host tries
 * again.
 */
export async function removeUnused(dir: string, now: Date): Promise<void> {
  for (const name of await readdir(dir).catch(() => [])) {
    const folder = join(dir, name);
    const used = name.startsWith(TEMPORARY) ? undefined : await lastUse(folder);
    const date = used ?? (await lstat(folder).catch(() => undefined))?.mtime;
    const keepMs = used === undefined ? LEFT_OVER_MS : UNUSED_MS;
    if (date !== undefined && now.getTime() - date.getTime() > keepMs) await removePackage(dir, name);
  }
}

/** Removes a folder at once, as others see it. Never rejects. */
export async function removePackage(dir: string, name: string): Promise<void> {
  const aside = join(dir, temporaryName());
  await rename(join(dir, name), aside).catch(() => undefined);
  await rm(aside, { recursive: true, force: true }).catch(() => undefined);
}
