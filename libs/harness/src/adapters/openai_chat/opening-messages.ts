import type { HarnessRun } from '../../contract.ts';
import { ConfinedFile } from '../../files/confined-file.ts';
import type { OutputValidator } from '../../structured/output-validator.ts';
import type { ChatMessage, ChatPart } from './protocol.ts';

/** Builds the first messages of a run: the system prompt, and the user's message with its images. */
export async function openingMessages(
  run: HarnessRun,
  validator: OutputValidator | undefined,
): Promise<{ readonly system: readonly ChatMessage[]; readonly user: ChatMessage }> {
  const prompt = [run.systemPrompt, validator?.instruction ?? ''].filter((part) => part !== '').join('\n\n');
  const images = await Promise.all(
    run.attachments.filter((item) => item.mediaType.startsWith('image/')).map((item) => imagePart(run.workDir, item)),
  );
  const content = images.length === 0 ? run.prompt : [{ type: 'text', text: run.prompt } as const, ...images];
  return { system: prompt === '' ? [] : [{ role: 'system', content: prompt }], user: { role: 'user', content } };
}

async function imagePart(workDir: string, image: { path: string; mediaType: string }): Promise<ChatPart> {
  const bytes = await (await ConfinedFile.resolve(workDir, image.path)).read();
  return { type: 'image_url', image_url: { url: `data:${image.mediaType};base64,${bytes.toString('base64')}` } };
}
