import type { BlobRef, ErrorInfo, JsonObject, JsonValue, RunAddress } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import type { CoroutineState, Divergence, DueStep, FedEntry, Turn } from '@reins/replay';
import type { Governance } from '@reins/replay/babysitter';
import type { ModuleGraph } from '../graph/module-graph.ts';

/** What the owner of a run tells the child that runs its process. */
export type ToChild =
  | LoadMessage
  /** A part of the journal; the last part has it replayed. */
  | {
      readonly type: 'replay';
      readonly entries: readonly Entry[];
      readonly isLast: boolean;
      readonly replayedAt?: string;
      readonly everyStart?: boolean;
    }
  | { readonly type: 'advance'; readonly entries: readonly FedEntry[] }
  | { readonly type: 'step'; readonly effectId: string }
  | { readonly type: 'value'; readonly call: number; readonly value?: JsonValue; readonly error?: ErrorInfo };

/** The process of this run, and all of its code. */
export interface LoadMessage {
  readonly type: 'load';
  readonly graph: ModuleGraph;
  readonly exportName?: string;
  readonly governance?: Governance;
  /** In which its tasks may keep files. */
  readonly runDir?: string;
  readonly id: string;
  readonly run: RunAddress;
  /** The run id that the process sees, where that is another one. */
  readonly identity?: string;
  readonly nonInteractive: boolean;
  /** To be held against the module's `inputSchema`. */
  readonly inputs?: JsonValue;
  /** The time that its modules see while they are loaded: that of the run's first entry. */
  readonly at: string;
}

/** What the child answers. Everything in it is the word of code that nobody knows (`untrusted.ts`). */
export type FromChild =
  | { readonly type: 'ready' }
  | ({ readonly type: 'loaded' } & Loaded)
  | { readonly type: 'turn'; readonly turn: ToldTurn }
  | { readonly type: 'stepped'; readonly effectId: string; readonly draft: Awaited<ReturnType<DueStep['run']>> }
  | { readonly type: 'load-value'; readonly call: number; readonly ref: BlobRef }
  | { readonly type: 'console'; readonly text: string }
  /** A file of a task, to be written before what else it says counts. */
  | { readonly type: 'file'; readonly path: string; readonly content: string }
  /** What was asked for last cannot be done. */
  | { readonly type: 'failed'; readonly error: ErrorInfo }
  /** It ends, because of an error that nothing caught. */
  | { readonly type: 'crashed'; readonly message: string };

/** What a module says about its process. */
export interface Loaded {
  /** Where it exports one. */
  readonly inputSchema?: JsonObject;
  /** Where the inputs that came with the question are not what that says. */
  readonly wrong?: readonly { readonly path: string; readonly message: string }[];
}

/** A turn as it travels. */
export interface ToldTurn {
  readonly drafts: Turn['drafts'];
  readonly steps: readonly Omit<DueStep, 'run'>[];
  readonly state: CoroutineState;
  readonly divergence?: Omit<Divergence, 'error'> & { readonly error: ErrorInfo };
  /** The effects that the process still wants. */
  readonly awaited: readonly string[];
}
