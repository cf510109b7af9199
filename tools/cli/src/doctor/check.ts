/** One line of `reins doctor`. A failed check changes the exit code, a warning does not. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly hint?: string;
}

/** The runtime of one stage, and its health. */
export interface StageRuntime {
  readonly stage: string;
  readonly runtime_id: string;
  readonly runtime_source: 'stage' | 'default';
  readonly healthy: boolean;
  readonly version: string;
  readonly reason?: string;
}
