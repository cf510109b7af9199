import type { JsonValue } from '@reins/contracts';
import type { Generated } from 'kysely';

/** The schema of Postgres with the tables of this service. */
export const SCHEMA = 'memory';

/** A record in its current state. A forgotten record has only its identity, and when and why it was forgotten. */
export interface RecordRow {
  readonly id: string;
  readonly namespace: string;
  readonly kind: string;
  readonly status: 'active' | 'superseded' | 'forgotten';
  readonly text: string | null;
  /** The text without case, accents and punctuation. */
  readonly folded: string | null;
  readonly data: JsonValue;
  readonly source: JsonValue;
  readonly subject: string | null;
  readonly confidence: number | null;
  readonly created_at: string;
  readonly valid_from: string | null;
  readonly valid_until: string | null;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
  readonly sensitivity: string | null;
  readonly forgotten_at: string | null;
  readonly reason: string | null;
  /** Whether each person rated the record as useful. */
  readonly ratings: Readonly<Record<string, boolean>> | null;
  /** Sequence of the message that wrote the row, in the stream MEMORY. */
  readonly seq: number;
}

/** The sequence of the last change of a namespace: the next change is fenced by it. */
export interface NamespaceRow {
  readonly namespace: string;
  readonly seq: number;
}

/** A term of an active record. */
export interface TermRow {
  readonly namespace: string;
  readonly term: string;
  readonly seq: number;
  readonly id: string;
}

/** How many active records of a namespace have a term; all of them under the term ''. */
export interface TermCountRow {
  readonly namespace: string;
  readonly term: string;
  readonly records: number;
}

/** Position of the projection: one row. */
export interface PositionRow {
  readonly one: Generated<boolean>;
  /** Creation time of the stream. */
  readonly created: string;
  readonly seq: number;
  /** When the stream stored the message with the sequence `time_seq`; null if that is not known. */
  readonly time: string | null;
  /** Not `seq` if a process of an earlier version wrote the position. */
  readonly time_seq: number | null;
  /** How often the tables were emptied. */
  readonly generation: Generated<number>;
}

/** A message of a forgotten record that the stream still has to erase. */
export interface ErasureRow {
  readonly seq: number;
}

export interface MemoryTables {
  readonly records: RecordRow;
  readonly namespaces: NamespaceRow;
  readonly terms: TermRow;
  readonly term_counts: TermCountRow;
  readonly position: PositionRow;
  readonly erasures: ErasureRow;
}
