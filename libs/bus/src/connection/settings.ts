import type { BusObserver } from '../consume/observer.ts';

export type BusAuth =
  | { readonly user: string; readonly password: string }
  | { readonly token: string }
  | { readonly nkeySeed: string }
  /** The text of a `.creds` file. */
  | { readonly credentials: string };

/** The logger of the bus. A pino logger fits. */
export interface BusLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface BusSettings {
  readonly servers: string | readonly string[];
  /** Service and replica, as shown by `nats server report connections`. */
  readonly name: string;
  readonly auth?: BusAuth;
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
  /** Prefix of reply subjects, for accounts whose permissions restrict them. */
  readonly inboxPrefix?: string;
  /** Subject prefix of the JetStream API, for accounts that import it. Default: `$JS.API`. */
  readonly apiPrefix?: string;
  /**
   * The consumer names that readers may use on a stream, for accounts whose permissions restrict them. Default: a
   * random name.
   */
  readonly readerNames?: (stream: string) => readonly string[] | undefined;
  readonly requestTimeoutMs?: number;
  readonly log?: BusLog;
  readonly observer?: BusObserver;
}

const ignore = (): void => {};
export const silentLog: BusLog = { debug: ignore, info: ignore, warn: ignore, error: ignore };
