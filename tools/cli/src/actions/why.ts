import { ReinsError } from '@reins/contracts';
import { GatewayClient } from '../client/gateway-client.ts';
import { listedEvents } from '../client/listed-events.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { causalChain, defaultTarget, type Link } from '../why/causal-chain.ts';
import { chainLines } from '../why/chain-lines.ts';

/** Prints the causal chain of an event of a run. Default: the end of the run, or what it waits for. */
export async function why(context: CliContext, requestId: string, eventId: string | undefined): Promise<ExitCode> {
  const events = await Array.fromAsync(listedEvents(new GatewayClient(gatewayAddress(context)), requestId));
  const target = eventId === undefined ? defaultTarget(events) : events.find(({ id }) => id === eventId);
  if (!target)
    throw new ReinsError({
      code: 'wrong_usage',
      message: eventId ? `the request has no event ${eventId}` : 'the request has no events yet',
      hint: `List the event ids with \`reins why ${requestId} --json\`.`,
    });
  const chain = causalChain(events, target);
  if (context.json) printJson(context, chain.map(toJson));
  else context.out(`${chainLines(events, chain).join('\n')}\n`);
  return EXIT.ok;
}

const toJson = (link: Link) =>
  link.kind === 'event'
    ? { id: link.event.id, type: link.event.type, time: link.event.time, body: link.event.body }
    : { id: link.id, message: link.text };
