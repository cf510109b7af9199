/** A provider in a process of its own: answers at once, or streams `chunks` deltas with `intervalMs` between them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const DELTA = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n`;
const END = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 9 } })}\n\ndata: [DONE]\n\n`;
const ANSWER = JSON.stringify({
  choices: [{ message: { content: 'Hi.' } }],
  usage: { prompt_tokens: 9, completion_tokens: 1 },
});

const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  const {
    stream,
    chunks = 0,
    intervalMs = 0,
  } = JSON.parse(text) as { stream?: boolean; chunks?: number; intervalMs?: number };
  if (!stream) return void response.setHeader('content-type', 'application/json').end(ANSWER);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let sent = 0; sent < chunks; sent += 1) {
    if (!response.write(DELTA)) await once(response, 'drain');
    if (intervalMs > 0) await sleep(intervalMs);
  }
  response.end(END);
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`));
process.once('disconnect', () => process.exit());
