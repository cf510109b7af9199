import type { AdapterEvent } from '@reins/contracts';
import type { HarnessResult, HarnessRun } from '@reins/harness';

/** The messages from the host to an executor process over its IPC channel. */
export type ToExecutor =
  | { readonly kind: 'run'; readonly runtimeId: string; readonly run: HarnessRun }
  | { readonly kind: 'cancel'; readonly reason: string };

/** The messages from an executor process to the host: the signals in order, then one result. */
export type FromExecutor =
  | { readonly kind: 'ready' }
  | { readonly kind: 'signal'; readonly signal: AdapterEvent }
  | { readonly kind: 'result'; readonly result: HarnessResult };
