import type { BlobRef, ErrorInfo, JsonObject, JsonValue, RunAddress } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { CoroutineState, Divergence, DueStep, FedEntry, Turn } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import type { ModuleGraph } from '../graph/module-graph.ts';

/** Messages from the owner of a run to its child. */
export type ToChild =
  | LoadMessage
  /** A part of the journal. The last part starts the replay. */
  | {
      readonly type: 'replay';
      readonly entries: readonly Entry[];
      readonly isLast: boolean;
      readonly replayedAt?: string;
      /** The index of the start entry to begin with. Default: the last one. */
      readonly from?: number;
    }
  | { readonly type: 'advance'; readonly entries: readonly FedEntry[] }
  | { readonly type: 'step'; readonly effectId: string }
  | { readonly type: 'value'; readonly call: number; readonly value?: JsonValue; readonly error?: ErrorInfo };

/** The process of the run, with all its code. */
export interface LoadMessage {
  readonly type: 'load';
  readonly graph: ModuleGraph;
  readonly exportName?: string;
  readonly governance?: Governance;
  /** The directory for files of tasks. */
  readonly runDir?: string;
  readonly id: string;
  readonly run: RunAddress;
  /** The run id that the process sees, if it differs. */
  readonly identity?: string;
  readonly nonInteractive: boolean;
  /** To be validated against the module's `inputSchema`. */
  readonly inputs?: JsonValue;
  /** The time that modules see while they are loaded: the time of the run's first entry. */
  readonly at: string;
}

/** Messages from the child. They are untrusted: authored code may have written them (`untrusted.ts`). */
export type FromChild =
  | { readonly type: 'ready' }
  | ({ readonly type: 'loaded' } & Loaded)
  | { readonly type: 'turn'; readonly turn: TurnMessage }
  | { readonly type: 'stepped'; readonly effectId: string; readonly draft: Awaited<ReturnType<DueStep['run']>> }
  | { readonly type: 'load-value'; readonly call: number; readonly ref: BlobRef }
  | { readonly type: 'console'; readonly text: string }
  /** A task file. It is written before later messages take effect. */
  | { readonly type: 'file'; readonly path: string; readonly content: string }
  /** The last request failed. */
  | { readonly type: 'failed'; readonly error: ErrorInfo }
  /** The child exits because of an uncaught error. */
  | { readonly type: 'crashed'; readonly message: string };

/** What a module declares about its process. */
export interface Loaded {
  /** The schema, if the module exports one. */
  readonly inputSchema?: JsonObject;
  /** The places where the inputs do not match the schema. */
  readonly wrong?: readonly { readonly path: string; readonly message: string }[];
}

/** A turn as a message. */
export interface TurnMessage {
  readonly drafts: Turn['drafts'];
  readonly steps: readonly Omit<DueStep, 'run'>[];
  readonly state: CoroutineState;
  readonly divergence?: Omit<Divergence, 'error'> & { readonly error: ErrorInfo };
  /** The effects that the process still waits for. */
  readonly awaited: readonly string[];
}
