import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '../json.ts';

/** Larger than any prompt of a harness, small enough for a test machine. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Reads the body of a request; `undefined` when it exceeds the limit. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Reads and discards the rest, so that the client receives the response.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** Parses the body as JSON; `undefined` when it is invalid. An empty body is an empty object. */
export function parseJson(raw: string): unknown {
  if (raw === '') return {};
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** The body for the reader of a protocol. Anything other than a JSON object reads as an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
