import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as requestHttp } from 'node:http';
import { median, rounded, timed } from './measure.ts';

const CALLS = 400;
const BODY = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'todoread', arguments: {} },
});

/** The median of a tool call through the gateway of a run, and of the same request to a bare server. */
export async function toolCalls() {
  const child = fork(new URL('./tool-gateway.ts', import.meta.url), { execArgv: process.execArgv });
  const [{ url, token, bareUrl }] = await once(child, 'message');
  const agent = new Agent({ keepAlive: true });
  const call = async (to: string): Promise<void> => {
    const sent = requestHttp(to, {
      ...{ method: 'POST', agent },
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
    });
    sent.end(BODY);
    const [reply] = await once(sent, 'response');
    let text = '';
    for await (const part of reply) text += part;
    if (reply.statusCode !== 200 || !text.includes('"content"')) throw new Error(`a tool call failed: ${text}`);
  };
  const [through, bare]: [number[], number[]] = [[], []];
  for (let n = 0; n < 2 * CALLS; n += 1) {
    const times = [await timed(() => call(url)), await timed(() => call(bareUrl))] as const;
    // The first half warms up both.
    if (n < CALLS) continue;
    through.push(times[0]);
    bare.push(times[1]);
  }
  agent.destroy();
  child.disconnect();
  return {
    throughDoorMs: rounded(median(through), 3),
    bareServerMs: rounded(median(bare), 3),
    ratio: rounded(median(through) / median(bare), 1),
  };
}
