import type { BusAuth } from '@reins/bus';
import type { NatsSettings } from './settings.ts';

/** Converts the NATS settings to credentials. Undefined means no authentication. */
export function busAuth({ user, password, token, credentials }: NatsSettings): BusAuth | undefined {
  if (credentials) return { credentials };
  if (token) return { token };
  return user && password !== undefined ? { user, password } : undefined;
}
