import { createInbox, headers, type MsgHdrs } from '@nats-io/nats-core';
import { type Bus, OrderedPublisher, type OutgoingMessage } from '../src/index.ts';
import type { PlainClient } from './plain-client.ts';
import { type Contestant, interleave, type Measured } from './rounds.ts';

const BODY = new Uint8Array(256).fill(0x78);
const BARE_WINDOW = 256;
const TIME = '2026-01-01T00:00:00.000Z';

const subjectOf = (n: number): string => `runtime.tool.direct.started.ws.r${n % 100}`;
const idOf = (prefix: string, round: number, n: number): string => `${prefix}-${round}-${String(n).padStart(20, '0')}`;

/** The headers of `OrderedPublisher`, built with the client's API. */
function clientHeaders(id: string): MsgHdrs {
  const all = headers();
  all.set('Nats-Msg-Id', id);
  all.set('ce-id', id);
  all.set('ce-type', 'runtime.tool.direct.started');
  all.set('ce-source', 'bench');
  all.set('ce-time', TIME);
  all.set('ce-specversion', '1.0');
  return all;
}

function message(id: string, n: number): OutgoingMessage {
  return {
    subject: subjectOf(n),
    data: BODY,
    headers: { id, type: 'runtime.tool.direct.started', source: 'bench', time: TIME },
  };
}

/** `js.publish` with a number of messages in flight. */
function clientPublish(client: PlainClient, inFlight: number): Contestant {
  const name = `js.publish, ${inFlight} in flight`;
  return {
    name,
    async run(round, count) {
      let next = 0;
      const one = async (): Promise<void> => {
        while (next < count) {
          const n = next++;
          await client.js.publish(subjectOf(n), BODY, { headers: clientHeaders(idOf(`c${inFlight}`, round, n)) });
        }
      };
      await Promise.all(Array.from({ length: inFlight }, one));
    },
  };
}

/** The minimal implementation: one reply inbox, a window, acknowledgements counted on arrival. */
function bareLoop(client: PlainClient, window: number): Contestant {
  return {
    name: `bare pipelined loop, window ${window}`,
    run: (round, count) =>
      new Promise((resolve) => {
        const inbox = createInbox();
        let sent = 0;
        let acknowledged = 0;
        const fill = (): void => {
          while (sent < count && sent - acknowledged < window) {
            const n = sent++;
            client.nc.publish(subjectOf(n), BODY, {
              reply: inbox,
              headers: clientHeaders(idOf(`b${window}`, round, n)),
            });
          }
        };
        const subscription = client.nc.subscribe(inbox, {
          callback: () => {
            if (++acknowledged < count) return fill();
            subscription.unsubscribe();
            resolve();
          },
        });
        fill();
      }),
  };
}

function ordered(bus: Bus): Contestant {
  const publisher = new OrderedPublisher(bus);
  return {
    name: 'OrderedPublisher',
    async run(round, count) {
      for (let n = 0; n < count; n++) {
        if (!publisher.publish(message(idOf('o', round, n), n))) await publisher.ready();
      }
      await publisher.settled();
    },
  };
}

/** Measures acknowledged publishes of 256 bytes, all with the same headers, ids and sizes. */
export function measurePublish(bus: Bus, client: PlainClient, rounds: number, count: number): Promise<Measured[]> {
  const contestants = [
    ordered(bus),
    bareLoop(client, BARE_WINDOW),
    bareLoop(client, 1024),
    ...[1, 32, 256, 1024].map((inFlight) => clientPublish(client, inFlight)),
  ];
  return interleave(contestants, rounds, count);
}
