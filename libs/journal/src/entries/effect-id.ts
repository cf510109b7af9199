import { hash } from 'node:crypto';

/** The id of an effect: the same in every replay, different in every run, and valid as a token in subjects and keys. */
export function effectIdOf(runId: string, key: string): string {
  return `ef_${hash('sha256', `${runId}\n${key}`).slice(0, 24)}`;
}
