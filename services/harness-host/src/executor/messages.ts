import type { AdapterEvent } from '@reins/contracts';
import type { HarnessResult, HarnessRun } from '@reins/harness';

/** What the host tells an executor process, over the channel that only the two of them have. */
export type ToExecutor =
  | { readonly kind: 'run'; readonly runtimeId: string; readonly run: HarnessRun }
  | { readonly kind: 'cancel'; readonly reason: string };

/** What it tells the host: the signals in order, then its one end. */
export type FromExecutor =
  | { readonly kind: 'ready' }
  | { readonly kind: 'signal'; readonly signal: AdapterEvent }
  | { readonly kind: 'result'; readonly result: HarnessResult };
