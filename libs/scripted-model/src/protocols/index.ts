import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Protocol } from './protocol.ts';

export type ProtocolName = 'chat' | 'responses' | 'anthropic' | 'gemini';

export const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  chat: openaiChat,
  responses: openaiResponses,
  anthropic,
  gemini,
};
