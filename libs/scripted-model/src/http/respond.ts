import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../json.ts';
import type { StreamEvent } from '../protocols/protocol.ts';

/** Waits. Rejects when the client disconnects, which ends the request. */
export async function pause(milliseconds: number, clientGone: AbortSignal): Promise<void> {
  if (milliseconds > 0) await wait(milliseconds, undefined, { signal: clientGone });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Sends a 200 response that violates the protocol. */
export function sendGarbage(response: ServerResponse, stream: boolean): void {
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
  response.end('<html>this is not the protocol</html>');
}

export interface StreamPace {
  readonly chunkMs: number;
  /** Whether to stop half-way and destroy the socket. */
  readonly cut: boolean;
  readonly clientGone: AbortSignal;
}

/** The delay before the socket of a truncated stream is destroyed, so that the sent half arrives. */
const CUT_AFTER_MS = 50;

export async function sendStream(
  response: ServerResponse,
  events: readonly StreamEvent[],
  headers: Readonly<Record<string, string>>,
  { chunkMs, cut, clientGone }: StreamPace,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...headers,
  });
  for (const event of cut ? events.slice(0, Math.floor(events.length / 2)) : events) {
    clientGone.throwIfAborted();
    if (!response.write(eventText(event))) await once(response, 'drain', { signal: clientGone });
    await pause(chunkMs, clientGone);
  }
  if (!cut) return void response.end();
  await pause(CUT_AFTER_MS, clientGone);
  response.socket?.destroy();
}

function eventText({ event, data }: StreamEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data satisfies JsonObject)}\n\n`;
}
