import { readFile } from 'node:fs/promises';
import { ReinsError } from '@reins/contracts';
import type { HarnessRun } from '../contract.ts';
import { confinedPath } from './confined-path.ts';

/** An image among the attachments of a run, with its content. */
export interface RunImage {
  readonly path: string;
  readonly mediaType: string;
  readonly base64: string;
}

/**
 * Reads the images among the attachments of a run.
 * @throws ReinsError `harness_unsupported` when one cannot be read
 */
export async function readImages({ attachments, workDir }: HarnessRun): Promise<RunImage[]> {
  const images = attachments.filter(({ mediaType }) => mediaType.startsWith('image/'));
  return Promise.all(
    images.map(async ({ path, mediaType }) => {
      const base64 = await confinedPath(workDir, path)
        .then((real) => readFile(real, 'base64'))
        .catch((cause) => {
          throw new ReinsError({ code: 'harness_unsupported', message: `an image cannot be read: ${path}` }, { cause });
        });
      return { path, mediaType, base64 };
    }),
  );
}
