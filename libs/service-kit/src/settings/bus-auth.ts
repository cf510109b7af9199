import type { BusAuth } from '@reins/bus';
import type { NatsSettings } from './settings.ts';

/** How this installation's services authenticate to NATS; undefined = not at all. */
export function busAuth({ user, password, token, credentials }: NatsSettings): BusAuth | undefined {
  if (credentials) return { credentials };
  if (token) return { token };
  return user && password !== undefined ? { user, password } : undefined;
}
