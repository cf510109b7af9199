import type { BusObserver } from '../consume/observer.ts';

export type BusAuth =
  | { readonly user: string; readonly password: string }
  | { readonly token: string }
  | { readonly nkeySeed: string }
  /** The text of a `.creds` file. */
  | { readonly credentials: string };

/** What the bus says about itself. A pino logger fits as it is. */
export interface BusLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface BusSettings {
  readonly servers: string | readonly string[];
  /** Shown by `nats server report connections`: service and replica. */
  readonly name: string;
  readonly auth?: BusAuth;
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
  /** The subjects that replies come on; narrowed where an account's permissions ask for it. */
  readonly inboxPrefix?: string;
  readonly requestTimeoutMs?: number;
  readonly log?: BusLog;
  readonly observer?: BusObserver;
}

const ignore = (): void => {};
export const silentLog: BusLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };
