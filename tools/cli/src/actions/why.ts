import { ReinsError } from '@reins/contracts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type ListedEvent, listedEvents } from '../client/listed-events.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openText, printJson } from '../output/print.ts';
import { type RunResult, runResult } from '../run/result.ts';
import { causalChain, defaultTarget, type Link } from '../why/causal-chain.ts';
import { chainLines, endedChildren } from '../why/chain-lines.ts';

/** The most child runs whose work is shown. */
const MAX_CHILDREN = 20;

/** Prints the causal chain of an event of a run, and what the run waits for. Default: its end, or its latest wait. */
export async function why(context: CliContext, requestId: string, eventId: string | undefined): Promise<ExitCode> {
  const client = new GatewayClient(gatewayAddress(context));
  const events = await Array.fromAsync(listedEvents(client, requestId));
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
    const open = new Set(current?.waits?.map(({ effectId }) => effectId));
    const lines = [...(await textLines(client, events, chain, open)), ...now(current)];
    context.out(`${context.typed(lines.join('\n'))}\n`);
  }
  return EXIT.ok;
}

/** The lines of a chain, with the work of the child runs in it. */
async function textLines(
  client: GatewayClient,
  events: readonly ListedEvent[],
  chain: readonly Link[],
  shownBelow?: ReadonlySet<string>,
): Promise<string[]> {
  const children = new Map<string, readonly string[]>();
  for (const id of endedChildren(events, chain).slice(-MAX_CHILDREN)) {
    const own = await Array.fromAsync(listedEvents(client, id));
    const end = defaultTarget(own);
    // The first line is the submission by the parent, which has a line of its own.
    children.set(id, end ? (await textLines(client, own, causalChain(own, end))).slice(1) : []);
  }
  return chainLines(events, chain, children, shownBelow);
}

/**
 * What the request does and waits for now, with the data of the waits and the commands that end them, and the requests
 * that retry it.
 */
function now(current: RunResult | undefined): string[] {
  if (current === undefined) return [];
  const text = openText(current);
  const retries = (current.retriedBy ?? []).map((id) => `retried by ${id} (\`reins why ${id}\`)`);
  return text === '' && retries.length === 0 ? [] : ['', ...(text === '' ? [] : [text]), ...retries];
}

const toJson = (link: Link) =>
  link.kind === 'event'
    ? { id: link.event.id, type: link.event.type, time: link.event.time, body: link.event.body }
    : { id: link.id, message: link.text };
