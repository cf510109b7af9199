import { asList, asObject, asText, type JsonObject } from '../json.ts';
import type { Answer, ToolCall } from '../model.ts';

/** The texts of a message content, which is a string or a list of parts with a `text`. */
export function contentTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return asList(content).flatMap((part) => asText(asObject(part).text) ?? []);
}

/** An estimated token count: one per four characters, at least one. */
export function tokensIn(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return Math.max(1, Math.ceil(text.length / 4));
}

export function tokensOut(answer: Answer): number {
  return tokensIn([answer.text, ...answer.calls.map((call) => call.args)]);
}

/** Splits a text into words with their trailing white space, for streaming. */
export function words(text: string | undefined): readonly string[] {
  return text?.match(/\s+|\S+\s*/g) ?? [];
}

/** Splits arguments into two pieces for streaming, so that a client has to join them. */
export function splitInHalf(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '');
}

export function argumentText(call: ToolCall): string {
  return typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
}

/** The arguments for a protocol that supports only objects. */
export function argumentObject(call: ToolCall): JsonObject {
  return typeof call.args === 'string' ? { input: call.args } : call.args;
}
