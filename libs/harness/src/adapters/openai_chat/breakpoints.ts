import type { ChatMessage, ChatPart } from './protocol.ts';

/** Marks the system prompt and the newest message of the user: everything before a mark is cached. */
export function withBreakpoints(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const newest = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) => {
    const isMarked = message.role === 'system' || (message.role === 'user' && index === newest);
    return isMarked ? { ...message, content: marked(message.content) } : message;
  });
}

function marked(content: string | readonly ChatPart[]): readonly ChatPart[] {
  const parts: readonly ChatPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const last = parts.findLastIndex(({ type }) => type === 'text');
  return parts.map((part, index) => (index === last ? { ...part, cache_control: { type: 'ephemeral' } } : part));
}
