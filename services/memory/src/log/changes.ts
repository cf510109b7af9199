import {
  CHECKS,
  type MemoryRecordRated,
  type MemoryRecordsForgotten,
  type MemoryRecordWritten,
  type Problem,
  ReinsError,
} from '@reins/contracts';

/** The stream of the changes of memory. */
export const STREAM = 'MEMORY';

/** A change of the memory of one namespace. */
export type Change = MemoryRecordWritten | MemoryRecordsForgotten | MemoryRecordRated;

/** A change with its place in the stream. */
export interface LoggedChange {
  readonly seq: number;
  /** When the stream stored it. */
  readonly time?: string;
  readonly change: Change;
}

export const namespaceOf = (change: Change): string =>
  change.type === 'memory.record.written' ? change.record.namespace : change.namespace;

/** @throws ReinsError `message_invalid` */
export function parseChange(body: unknown): Change {
  const type = String((body as { readonly type?: unknown } | null)?.type);
  return checked(isChangeType(type) ? CHANGES[type] : 'MemoryRecordWritten', body) as Change;
}

/** The message of the contract for each type of change. */
const CHANGES = {
  'memory.record.written': 'MemoryRecordWritten',
  'memory.records.forgotten': 'MemoryRecordsForgotten',
  'memory.record.rated': 'MemoryRecordRated',
} as const satisfies Record<Change['type'], keyof typeof CHECKS>;

const isChangeType = (type: string): type is Change['type'] => Object.hasOwn(CHANGES, type);

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
