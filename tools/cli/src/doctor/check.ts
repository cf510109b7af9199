/** One line of `reins doctor`. A failed check changes the exit code, a warning does not. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly hint?: string;
}
