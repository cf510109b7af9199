import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import { type Bus, connectBus } from '@reins/bus';
import type { System } from '@reins/supervisor';

/** Connects to the NATS server of a running system as its operator. */
export const connectOperator = ({ natsUrl, natsOperator }: System, name: string): Promise<Bus> =>
  connectBus({ servers: natsUrl.split(','), name, ...natsOperator });

/** The same without any code of Reins: a plain NATS client that reconnects for ever. */
export function connectPlain(
  { natsUrl, natsOperator }: Pick<System, 'natsUrl' | 'natsOperator'>,
  name: string,
): Promise<NatsConnection> {
  const auth = natsOperator?.auth;
  return connect({
    servers: natsUrl.split(','),
    name,
    maxReconnectAttempts: -1,
    ...(auth && 'nkeySeed' in auth && { authenticator: nkeyAuthenticator(new TextEncoder().encode(auth.nkeySeed)) }),
  });
}
