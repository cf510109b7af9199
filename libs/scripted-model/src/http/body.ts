import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '../json.ts';

/** Larger than any prompt that a harness sends, small enough for a test machine. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** A request's body, read whole: `undefined` for one that is larger than the bound. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is still read, and forgotten, so that the client gets to the answer.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** The body as JSON; `undefined` when it is none. An empty body is an empty object. */
export function parseJson(raw: string): unknown {
  if (raw === '') return {};
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** The body as a protocol's reader takes it: what is not a JSON object reads as an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
