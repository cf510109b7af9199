import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { readImages } from '../../files/images.ts';

/** A text of the user, as OpenCode takes it. */
export const textPart = (text: string): JsonObject => ({ type: 'text', text });

/**
 * The images among the attachments of a run, as OpenCode takes them.
 * @throws ReinsError `harness_unsupported` when one cannot be read
 */
export async function imagesOf(run: HarnessRun): Promise<JsonObject[]> {
  const images = await readImages(run);
  return images.map(({ path, mediaType, base64 }) => ({
    type: 'file',
    mime: mediaType,
    filename: path,
    url: `data:${mediaType};base64,${base64}`,
  }));
}
