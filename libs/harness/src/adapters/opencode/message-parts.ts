import { readFile } from 'node:fs/promises';
import { type JsonObject, ReinsError } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { confinedPath } from '../../files/confined-path.ts';

/** A text of the user, as OpenCode takes it. */
export const textPart = (text: string): JsonObject => ({ type: 'text', text });

/**
 * The images among the attachments of a run, as OpenCode takes them.
 * @throws ReinsError `harness_unsupported` when one cannot be read
 */
export async function imagesOf({ attachments, workDir }: HarnessRun): Promise<JsonObject[]> {
  const images = attachments.filter(({ mediaType }) => mediaType.startsWith('image/'));
  return Promise.all(
    images.map(async ({ path, mediaType }) => {
      const content = await confinedPath(workDir, path)
        .then((real) => readFile(real, 'base64'))
        .catch((cause) => {
          throw new ReinsError({ code: 'harness_unsupported', message: `an image cannot be read: ${path}` }, { cause });
        });
      return { type: 'file', mime: mediaType, filename: path, url: `data:${mediaType};base64,${content}` };
    }),
  );
}
