import type { JsonValue, MemoryRecord, MemoryRecordsForgotten } from '@reins/contracts';
import { storableText } from '@reins/store';
import { type LoggedChange, namespaceOf } from '../log/changes.ts';
import { folded } from '../model/text.ts';
import type { RecordRow } from './schema.ts';

/** What a batch of changes does to the tables. */
export interface RowChanges {
  /** Records that were written. */
  readonly written: readonly RecordRow[];
  /** Earlier records, by the id of the record that supersedes each. */
  readonly superseded: readonly { readonly id: string; readonly by: string }[];
  readonly forgotten: readonly RecordRow[];
  /** The last rating of a record by each person, in order. */
  readonly rated: readonly { readonly id: string; readonly person: string; readonly useful: boolean }[];
  /** Sequences of messages in the batch whose record it also forgets. */
  readonly erased: readonly number[];
  /** The last sequence of each namespace. */
  readonly namespaces: ReadonlyMap<string, number>;
}

/** Computes the changes of rows. Rows are written first, then superseded, then forgotten. */
export function rowsOf(changes: readonly LoggedChange[]): RowChanges {
  const written = new Map<string, RecordRow>();
  const superseded = new Map<string, string>();
  const forgotten = new Map<string, RecordRow>();
  const rated: { id: string; person: string; useful: boolean }[] = [];
  const erased: number[] = [];
  const namespaces = new Map<string, number>();
  for (const { seq, change } of changes) {
    namespaces.set(namespaceOf(change), seq);
    if (change.type === 'memory.record.written') {
      const { record } = change;
      written.set(record.id, rowOf(record, seq));
      if (record.supersedes !== undefined) superseded.set(record.supersedes, record.id);
    } else if (change.type === 'memory.record.rated') {
      const { recordId, useful, source } = change;
      rated.push({ id: recordId, person: source.person ?? '', useful });
    } else
      for (const stub of stubsOf(change, seq)) {
        const known = written.get(stub.id);
        if (known) erased.push(known.seq);
        written.delete(stub.id);
        forgotten.set(stub.id, stub);
      }
  }
  return {
    written: [...written.values()],
    superseded: Array.from(superseded, ([id, by]) => ({ id, by })),
    forgotten: [...forgotten.values()],
    rated,
    erased,
    namespaces,
  };
}

function rowOf(record: MemoryRecord, seq: number): RecordRow {
  return {
    ...EMPTY,
    id: record.id,
    namespace: record.namespace,
    kind: record.kind,
    status: 'active',
    text: storableText(record.text),
    folded: folded(record.text),
    data: record.data ?? null,
    source: record.source as JsonValue,
    subject: record.subject === undefined ? null : storableText(record.subject),
    confidence: record.confidence,
    created_at: record.createdAt,
    valid_from: record.validFrom ?? null,
    valid_until: record.validUntil ?? null,
    supersedes: record.supersedes ?? null,
    sensitivity: record.sensitivity,
    seq,
  };
}

const stubsOf = (change: MemoryRecordsForgotten, seq: number): RecordRow[] =>
  change.records.map(({ id, kind, createdAt }) => ({
    ...EMPTY,
    id,
    namespace: change.namespace,
    kind,
    status: 'forgotten',
    created_at: createdAt,
    forgotten_at: change.forgottenAt,
    reason: change.reason === undefined ? null : storableText(change.reason),
    source: change.source as JsonValue,
    seq,
  }));

const EMPTY = {
  text: null,
  folded: null,
  data: null,
  subject: null,
  confidence: null,
  valid_from: null,
  valid_until: null,
  supersedes: null,
  superseded_by: null,
  sensitivity: null,
  forgotten_at: null,
  reason: null,
  ratings: null,
} as const;
