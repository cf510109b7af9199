import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PROGRESS_MS = 5000;
const MEGABYTE = 1e6;

/** Does the work, and reports every five seconds how large the folder has become that it fills. */
export async function reportingSize<T>(
  { title, folder, onProgress }: { title: string; folder: string; onProgress: (message: string) => void },
  work: () => Promise<T>,
): Promise<T> {
  onProgress(title);
  const report = (bytes: number): void => onProgress(`${title}: ${(bytes / MEGABYTE).toFixed(0)} MB`);
  const timer = setInterval(() => void sizeOf(folder).then(report), PROGRESS_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The size of the files in a folder; 0 without it. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map((entry) =>
    stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
