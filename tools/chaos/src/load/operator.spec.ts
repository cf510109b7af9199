import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Gateway } from '../system/gateway.ts';
import { Acknowledgements, answerTo, cancelOf, endOf } from './acknowledgements.ts';
import { answerQuestions } from './answer-questions.ts';
import type { AcceptedRequest } from './load.ts';
import { Operator } from './operator.ts';

const QUESTION = { effectId: 'e1', questionNumber: 2 };
const WAITING = { status: 'waiting', waiting: { reason: 'user', ...QUESTION } };
const DAMAGED = { status: 'waiting', waiting: { reason: 'operator', error: { code: 'run_damaged' } } };
const LOST = [{ from: 1_000, to: 2_000 }];
const ID = 'r1';

let server: Server;
afterEach(() => void server.close());

/** A server that shows every request in this state, and stores the commands to it. */
async function serve(view: () => object): Promise<{ gateway: Gateway; posted: string[] }> {
  const posted: string[] = [];
  server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify(view()));
    posted.push(request.url?.split('/').at(-1) ?? '');
    response.writeHead(202).end(JSON.stringify({ status: 'answered' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { gateway: new Gateway(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key'), posted };
}

const open: AcceptedRequest = {
  requestId: ID,
  workspaceId: 'ws',
  sessionId: 's',
  planned: { kind: 'any', workspace: 'plain', input: '', endings: ['completed'], cancelAfterMs: 0, answer: 'blue' },
  answeredWith: [ID],
};

const stored = (sentAt: number, receivedAt: number) => ({ sentAt, receivedAt });
const before = stored(900, 999);
const during = stored(1_500, 1_510);
const slow = stored(1_990, 2_500);
const after = stored(2_001, 2_010);

test.each([
  ['a lost cancel', [cancelOf(ID), during], ['cancel']],
  ['a cancel whose response arrived after the restore', [cancelOf(ID), slow], ['cancel']],
  ['no cancel that the copy has', [cancelOf(ID), before], []],
  ['no cancel from after the restore', [cancelOf(ID), after], []],
  ['a lost answer', [answerTo(ID, QUESTION), during], ['answers']],
  ['no answer that the copy has', [answerTo(ID, QUESTION), before], []],
  ['no answer from after the restore', [answerTo(ID, QUESTION), after], []],
  ['an answer for a client that has seen a lost end', [endOf(ID), during], ['answers']],
  ['no answer for a client that still answers', [cancelOf(ID), before], []],
] as const)('an operator sends %s again, once', async (_, [what, response], commands) => {
  const { gateway, posted } = await serve(() => WAITING);
  const acknowledged = new Acknowledgements();
  acknowledged.add(what, response);
  const operator = new Operator(gateway, acknowledged, LOST);
  await operator.help([open]);
  await operator.help([open]);
  expect(posted).toEqual(commands);
  expect(operator.report).toEqual({ resumed: 0, repeated: commands.length });
});

test('an operator names the damaged requests that it resumed', async () => {
  const { gateway, posted } = await serve(() => DAMAGED);
  const operator = new Operator(gateway, new Acknowledgements(), LOST);
  await operator.help([open]);
  expect([posted, [...operator.damaged]]).toEqual([['resume'], [ID]]);
});

test('a client answers each question once, until it sees the end', async () => {
  let views = 0;
  const { gateway, posted } = await serve(() => (++views < 3 ? WAITING : { status: 'completed' }));
  const acknowledged = new Acknowledgements();
  await answerQuestions(gateway, { requestId: ID, answer: 'blue' }, acknowledged, new AbortController().signal);
  expect([posted, acknowledged.has(endOf(ID))]).toEqual([['answers'], true]);
});
