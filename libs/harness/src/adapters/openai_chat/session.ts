import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatMessage } from './protocol.ts';

/** A conversation that another execution can continue. It has no system prompt: each stage has its own. */
export interface ChatSession {
  readonly id: string;
  readonly messages: readonly ChatMessage[];
}

const fileOf = (sessionDir: string): string => join(sessionDir, 'chat.json');

/** Opens the session with this id if the folder contains it, otherwise a new one. */
export async function openSession(sessionDir: string, id: string | undefined): Promise<ChatSession> {
  if (id !== undefined) {
    const stored = await readFile(fileOf(sessionDir), 'utf8').then(
      (text) => JSON.parse(text) as ChatSession,
      () => undefined,
    );
    if (stored?.id === id) return stored;
  }
  return { id: randomUUID(), messages: [] };
}

export async function saveSession(sessionDir: string, session: ChatSession): Promise<void> {
  await mkdir(sessionDir, { recursive: true });
  await writeFile(fileOf(sessionDir), JSON.stringify(session));
}
