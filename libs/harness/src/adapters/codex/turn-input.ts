import { type JsonObject, ReinsError } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { confinedPath } from '../../files/confined-path.ts';

/** A text of the user, as Codex takes it. */
export const textInput = (text: string): JsonObject => ({ type: 'text', text, text_elements: [] });

/**
 * The images among the attachments of a run, as Codex takes them.
 * @throws ReinsError `harness_unsupported` when one cannot be read
 */
export async function imagesOf({ attachments, workDir }: HarnessRun): Promise<JsonObject[]> {
  const images = attachments.filter(({ mediaType }) => mediaType.startsWith('image/'));
  return Promise.all(
    images.map(async ({ path }) => {
      const real = await confinedPath(workDir, path).catch((cause) => {
        throw new ReinsError({ code: 'harness_unsupported', message: `an image cannot be read: ${path}` }, { cause });
      });
      return { type: 'localImage', path: real };
    }),
  );
}
