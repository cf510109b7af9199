import { ReinsError } from '@reins/contracts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type ListedEvent, listedEvents } from '../client/listed-events.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { keptSignalLines, openText, printJson } from '../output/print.ts';
import { type RunResult, runResult } from '../run/result.ts';
import { causalChain, defaultTarget, type Link, lastWait } from './causal-chain.ts';
import { type Around, chainLines, endedChildren, interruptedChildren, type Refusal } from './chain-lines.ts';

/** The most child runs whose work is shown. */
const MAX_CHILDREN = 20;

/** Prints the causal chain of an event of a run, and what the run waits for. Default: its end, or its latest wait. */
export async function why(context: CliContext, requestId: string, eventId: string | undefined): Promise<ExitCode> {
  const client = new GatewayClient(gatewayAddress(context));
  const events = await eventsOnce(client, requestId);
  const target = eventId === undefined ? defaultTarget(events) : events.find(({ id }) => id === eventId);
  if (!target)
    throw new ReinsError({
      code: 'wrong_usage',
      message: eventId ? `the request has no event ${eventId}` : 'the request has no events yet',
      hint: `List the event ids with \`reins why ${requestId} --json\`.`,
    });
  const chain = causalChain(events, target);
  if (context.json) printJson(context, chain.map(toJson));
  else {
    // An explained event is of the past.
    const current = eventId === undefined ? await runResult(client, requestId) : undefined;
    const shownBelow = new Set(current?.waits?.map(({ effectId }) => effectId));
    const refused = await refusedAssignments(client, requestId);
    const refusals = eventId === undefined ? refused : refused.filter(({ time }) => time <= target.time);
    const lines = [...(await textLines(client, events, chain, { shownBelow, refusals })), ...now(current)];
    context.out(`${context.typed(lines.join('\n'))}\n`);
  }
  return EXIT.ok;
}

/** The lines of a chain, with the work of the child runs in it. */
async function textLines(
  client: GatewayClient,
  events: readonly ListedEvent[],
  chain: readonly Link[],
  around: Around = {},
): Promise<string[]> {
  const childLines = new Map<string, readonly string[]>();
  for (const id of endedChildren(events, chain).slice(-MAX_CHILDREN))
    childLines.set(id, await linesOfRun(client, id, defaultTarget));
  for (const id of interruptedChildren(events, chain, around.isInterrupted))
    childLines.set(id, await linesOfRun(client, id, lastWait, { isInterrupted: true }));
  return chainLines(events, chain, { ...around, childLines });
}

/** The lines of a child run, up to an event of it. The first line is the submission by the parent, which has its own. */
async function linesOfRun(
  client: GatewayClient,
  id: string,
  targetOf: (events: readonly ListedEvent[]) => ListedEvent | undefined,
  around: Around = {},
): Promise<string[]> {
  const events = await eventsOnce(client, id);
  const target = targetOf(events);
  return target ? (await textLines(client, events, causalChain(events, target), around)).slice(1) : [];
}

/** The events of a run. One that was published again after an outage has its first place only. */
async function eventsOnce(client: GatewayClient, id: string): Promise<ListedEvent[]> {
  const byId = new Map<string, ListedEvent>();
  for await (const event of listedEvents(client, id)) if (!byId.has(event.id)) byId.set(event.id, event);
  return [...byId.values()];
}

/** The assignments that the run refused, oldest first. */
async function refusedAssignments(client: GatewayClient, requestId: string): Promise<readonly Refusal[]> {
  const path = `/requests/${encodeURIComponent(requestId)}/dead-letters`;
  const { deadLetters = [] } = await client.get<{ deadLetters?: readonly (Refusal & { type: string })[] }>(path);
  return deadLetters.filter(({ type }) => type === 'command.run.assign');
}

/**
 * What the request does and waits for now, with the data of the waits and the commands that end them, the signals that
 * nothing waited for, and the requests that retry it.
 */
function now(current: RunResult | undefined): string[] {
  if (current === undefined) return [];
  const text = openText(current);
  const retries = (current.retriedBy ?? []).map((id) => `retried by ${id} (\`reins why ${id}\`)`);
  const lines = [...(text === '' ? [] : [text]), ...keptSignalLines(current), ...retries];
  return lines.length === 0 ? [] : ['', ...lines];
}

const toJson = (link: Link) =>
  link.kind === 'event'
    ? { id: link.event.id, type: link.event.type, time: link.event.time, body: link.event.body }
    : { id: link.id, message: link.text };
