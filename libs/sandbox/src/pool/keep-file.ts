import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file of a task into the run directory; none without one. Its path was checked when it came. */
export const keepIn =
  (runDir: string | undefined) =>
  (path: string, content: string): void => {
    if (runDir === undefined) return;
    const file = join(runDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
