import type { ProcessExit } from '@reins/embedded';
import type { ManagedTopology } from '@reins/service-kit/installation';
import type { BusIdentity } from '@reins/service-kit/nats-users';

/** A process with one or more services, which the supervisor starts and restarts. */
export interface ServiceProcess {
  readonly name: string;
  /** The module to run; with `isProgram`, the program. */
  readonly main: string;
  /** It is a program of others: it is started directly, and its whole environment is `env`. */
  readonly isProgram?: true;
  readonly args?: readonly string[];
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The URL that says whether a service is ready, for each service. The process is ready when all return 200. */
  readonly readyUrls: readonly string[];
}

export interface SystemOptions {
  /** The state folder (`.reins`): data/, logs/, run/, bin/. */
  readonly dir: string;
  readonly services: readonly ServiceProcess[];
  /** The environment for settings; the services get it too. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The streams, buckets and consumers of an embedded NATS server. */
  readonly topology: ManagedTopology;
  /** Receives progress messages to show to users, one line each. */
  readonly log: (line: string) => void;
  /** Ends the start when it aborts. A system that is up is not affected. */
  readonly signal?: AbortSignal;
  /** The time limit for a service to become ready. Default: 60 s. */
  readonly readyWithinMs?: number;
  /** The time limit for a service to stop. Default: 20 s. */
  readonly stopWithinMs?: number;
}

export type PartState = 'starting' | 'ready' | 'waiting' | 'stopped';

export interface PartStatus {
  readonly name: string;
  /** `waiting`: the process ended and is restarted after a pause. */
  readonly state: PartState;
  /** Services have a pid already while they start. */
  readonly pid: number | undefined;
  readonly restarts: number;
  readonly lastExit: ProcessExit | undefined;
}

export interface PartExit extends ProcessExit {
  readonly name: string;
}

/** A running system: NATS, Postgres and the services. */
export interface System {
  readonly natsUrl: string;
  /** How to connect to an embedded NATS server as its operator; undefined for an external one. */
  readonly natsOperator: BusIdentity | undefined;
  /** The folder with the seeds of the users of an embedded NATS server; undefined for an external one. */
  readonly natsUsersDir: string | undefined;
  readonly databaseUrl: string;
  /** The status of every part, in start order. External servers are not included. */
  status(): PartStatus[];
  /** Kills a part, which is then restarted. Resolves when it has ended. */
  kill(name: string): Promise<void>;
  /** Kills a part and delays its restart. Resolves with a function that starts it again. */
  hold(name: string): Promise<() => void>;
  /** Resolves when the part is ready. */
  ready(name: string): Promise<void>;
  /** Adds a listener for parts that end unexpectedly. Returns a function that removes it. */
  onExit(listener: (exit: PartExit) => void): () => void;
  /** Stops the services, then Postgres and NATS. Idempotent. */
  stop(): Promise<void>;
}
