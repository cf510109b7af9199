import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes task files into the run directory, if there is one. Their paths were validated on arrival. */
export const keepIn =
  (runDir: string | undefined) =>
  (path: string, content: string): void => {
    if (runDir === undefined) return;
    const file = join(runDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
