import {
  CHECKS,
  type MemoryRecordsForgotten,
  type MemoryRecordWritten,
  type Problem,
  ReinsError,
} from '@reins/contracts';

/** The stream of the changes of memory. */
export const STREAM = 'MEMORY';

/** A change of the memory of one namespace. */
export type Change = MemoryRecordWritten | MemoryRecordsForgotten;

/** A change with its place in the stream. */
export interface LoggedChange {
  readonly seq: number;
  readonly change: Change;
}

export const namespaceOf = (change: Change): string =>
  change.type === 'memory.record.written' ? change.record.namespace : change.namespace;

/** @throws ReinsError `message_invalid` */
export function parseChange(body: unknown): Change {
  const type = (body as { readonly type?: unknown } | null)?.type;
  return checked(type === 'memory.record.written' ? 'MemoryRecordWritten' : 'MemoryRecordsForgotten', body) as Change;
}

/**
 * Validates a value against a message of the contract.
 * @throws ReinsError `message_invalid`, with all problems
 */
export function checked(name: keyof typeof CHECKS, value: unknown): unknown {
  const problems: Problem[] = [];
  CHECKS[name](value, '', problems);
  if (problems.length > 0) throw new ReinsError(problems);
  return value;
}
