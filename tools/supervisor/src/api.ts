import type { ProcessExit } from '@reins/embedded';

/** A process of services that the supervisor starts and keeps. */
export interface ServiceProcess {
  readonly name: string;
  /** The module that it runs. */
  readonly main: string;
  readonly args?: readonly string[];
  /** Beside what every service gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** It is ready when every one of these answers 200: one `/readyz` a service. */
  readonly readyUrls: readonly string[];
}

export interface SystemOptions {
  /** The state folder (`.reins`): data/, logs/, run/, bin/. */
  readonly dir: string;
  readonly services: readonly ServiceProcess[];
  /** The environment to read settings from and to hand to the services. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What goes on, for people: one line each. */
  readonly log: (line: string) => void;
  /** How long a service may take until it is ready. Default 60 s. */
  readonly readyWithinMs?: number;
  /** How long a service may take to end. Default 20 s. */
  readonly stopWithinMs?: number;
}

export type PartState = 'starting' | 'ready' | 'waiting' | 'stopped';

export interface PartStatus {
  readonly name: string;
  /** `waiting`: it ended, and is started again after a pause. */
  readonly state: PartState;
  /** Of a service also while it starts. */
  readonly pid: number | undefined;
  readonly restarts: number;
  readonly lastExit: ProcessExit | undefined;
}

export interface PartExit extends ProcessExit {
  readonly name: string;
}

/** NATS, Postgres and the services, as one. */
export interface System {
  readonly natsUrl: string;
  readonly databaseUrl: string;
  /** In the order in which they were started. External parts are not among them. */
  status(): PartStatus[];
  /** Ends one part as a crash would; it is started again. Resolves when it has ended. */
  kill(name: string): Promise<void>;
  /** Ends one part as a crash would, and keeps it away until the function is called that it resolves with. */
  hold(name: string): Promise<() => void>;
  /** Resolves when the part takes work: at once if it does now. */
  ready(name: string): Promise<void>;
  /** Hears of every part that ended without being told to; returns what takes the listener away. */
  onExit(listener: (exit: PartExit) => void): () => void;
  /** Ends everything in order: the services, then Postgres and NATS. Idempotent. */
  stop(): Promise<void>;
}
