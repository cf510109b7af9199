import type { RunAddress } from './subjects/run-subjects.ts';

/** The record of a run whose messages keep failing. Stored in KV `positions`; removed when a message succeeds. */
export interface ParkedRun {
  readonly requestId: string;
  readonly workspaceId: string;
  /** The error of the last try. */
  readonly code: string;
  readonly message: string;
  /** When the run was parked (RFC 3339). */
  readonly since: string;
  readonly tries: number;
}

/** The KV keys of the parked runs of a partition; of all partitions by default. */
export const parkedKeys = (partition: number | '*' = '*'): string => `parked.${partition}.>`;

/** The KV key of a parked run. */
export const parkedKeyOf = (partition: number, { runId, workspaceId }: RunAddress): string =>
  `parked.${partition}.${workspaceId}.${runId}`;
